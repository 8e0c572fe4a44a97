import Media

/// Checks that the index at the end of a fragmented file (`mfra`, ISO/IEC 14496-12, 8.8.9 to 8.8.11) leads to fragments.
struct FragmentIndexCheck {
    let file: MovieFile
    let log: FaultLog

    /// - Parameter index: the `mfra` box.
    func check(_ index: BoxHeader) {
        var boxes = BoxSequence(file.window, inside: index)
        while let box = try? boxes.next() {
            do {
                if box.type == "tfra" { try checkTrack(box) }
                if box.type == "mfro", try file.window.number32(at: box.payload + 4) != UInt32(clamping: index.size) {
                    log.report(.fragmentIndex, "\(box.name) does not give the size \(index.size) of \(index.name)")
                }
            } catch {
                log.report(error, in: index)
                return
            }
        }
    }

    private func checkTrack(_ box: BoxHeader) throws(BoxFault) {
        let content = try box.content(file.window, limit: 16)
        var reader = ByteReader(content)
        guard let full = reader.take32(), reader.skip(4), let lengths = reader.take32(), let count = reader.take32()
        else {
            log.report(.boxContent, "\(box.name) has \(box.payloadSize) bytes where at least 16 are needed")
            return
        }
        let fixed = full >> 24 == 1 ? 16 : 8
        let entrySize = fixed + Int(lengths >> 4 & 3) + Int(lengths >> 2 & 3) + Int(lengths & 3) + 3
        guard Int64(count) * Int64(entrySize) == box.payloadSize - 16 else {
            log.report(
                .tableCount, "\(box.name) says it has \(count) entries of \(entrySize) bytes, which do not fill it")
            return
        }
        let entries = Table(box: box, first: box.payload + 16, count: Int64(count), entrySize: entrySize)
        let window = FileWindow(file.descriptor.raw, capacity: 4 << 10, readahead: 4 << 10)
        for number in 0..<entries.count {
            let place = entries.first + number * Int64(entrySize) + Int64(fixed / 2)
            let offset: Int64
            if fixed == 16 {
                offset = Int64(min(try window.number64(at: place), 1 << 61))
            } else {
                offset = Int64(try window.number32(at: place))
            }
            // GStreamer leaves its last entry empty; no player would go to the start of the file for it.
            if offset == 0 { continue }
            let target = try? BoxHeader.read(file.window, at: offset, limit: file.byteCount)
            if target?.type != "moof" {
                log.report(.fragmentIndex, "\(box.name), entry \(number + 1) leads to \(offset), where no fragment is")
            }
        }
    }
}
