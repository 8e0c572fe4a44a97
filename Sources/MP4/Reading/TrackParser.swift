import Media

/// Reads a `trak` box and reports what is malformed in it. That boxes nest and that none is missing is checked elsewhere:
/// here a box that is missing leaves its values as they are.
struct TrackParser {
    let window: FileWindow
    let log: FaultLog
    private var track: TrackLayout

    /// - Parameter box: the track box.
    init(_ box: BoxHeader, _ window: FileWindow, _ log: FaultLog) {
        self.window = window
        self.log = log
        track = TrackLayout(box: box)
    }

    /// What the track says.
    mutating func read() -> TrackLayout {
        let boxes = track.box.firstChildren(["tkhd", "mdia", "edts", "udta"], window)
        if let header = boxes["tkhd"] { attempt(header) { (parser) throws(BoxFault) in try parser.readHeader(header) } }
        if let edits = boxes["edts"]?.firstChildren(["elst"], window)["elst"] {
            attempt(edits) { (parser) throws(BoxFault) in try parser.readEdits(edits) }
        }
        if let media = boxes["mdia"] { readMedia(media) }
        if let name = boxes["udta"]?.firstChildren(["name"], window)["name"],
            let bytes = try? name.content(window, limit: 256), !bytes.isEmpty
        {
            track.name = Self.text(bytes)
        }
        return track
    }

    private mutating func readMedia(_ media: BoxHeader) {
        let boxes = media.firstChildren(["mdhd", "hdlr", "minf"], window)
        if let header = boxes["mdhd"] {
            attempt(header) { (parser) throws(BoxFault) in try parser.readMediaHeader(header) }
        }
        if let handler = boxes["hdlr"] {
            attempt(handler) { (parser) throws(BoxFault) in try parser.readHandler(handler) }
        }
        guard let information = boxes["minf"] else { return }
        let inside = information.firstChildren(
            ["vmhd", "smhd", "hmhd", "nmhd", "sthd", "gmhd", "stbl"], window)
        track.mediaHeader = inside.keys.filter { $0 != "stbl" }.min { $0.code < $1.code }
        guard let samples = inside["stbl"] else { return }
        if let descriptions = samples.firstChildren(["stsd"], window)["stsd"] {
            attempt(descriptions) { (parser) throws(BoxFault) in try parser.readDescriptions(descriptions) }
        }
        track.tables = TableParser(window: window, log: log, title: track.title).read(samples)
    }

    private mutating func readHeader(_ box: BoxHeader) throws(BoxFault) {
        var reader = ByteReader(try box.content(window, limit: 128))
        guard let full = reader.take32() else { return malformed(box, needed: 84) }
        let isLong = full >> 24 == 1
        let needed = isLong ? 96 : 84
        guard full >> 24 <= 1, reader.remaining + 4 == needed, box.payloadSize == Int64(needed),
            reader.skip(isLong ? 16 : 8), let id = reader.take32(), reader.skip(4),
            let duration = Self.duration(&reader, isLong: isLong), reader.skip(52), let width = reader.take32(),
            let height = reader.take32()
        else { return malformed(box, needed: needed) }
        track.id = id
        track.duration = duration.value
        track.displayWidth = width
        track.displayHeight = height
    }

    private mutating func readMediaHeader(_ box: BoxHeader) throws(BoxFault) {
        var reader = ByteReader(try box.content(window, limit: 64))
        guard let full = reader.take32() else { return malformed(box, needed: 24) }
        let isLong = full >> 24 == 1
        let needed = isLong ? 36 : 24
        guard full >> 24 <= 1, box.payloadSize == Int64(needed), reader.skip(isLong ? 16 : 8),
            let timescale = reader.take32(), let duration = Self.duration(&reader, isLong: isLong)
        else { return malformed(box, needed: needed) }
        track.timescale = Int64(timescale)
        track.mediaDuration = duration.value
    }

    private mutating func readHandler(_ box: BoxHeader) throws(BoxFault) {
        var reader = ByteReader(try box.content(window, limit: 20 + 256))
        guard reader.skip(8), let code = reader.take32(), reader.skip(12) else { return malformed(box, needed: 20) }
        track.handler = BoxType(code)
        if let name = reader.take(reader.remaining) { track.name = Self.text(name) }
    }

    private mutating func readEdits(_ box: BoxHeader) throws(BoxFault) {
        guard let table = editTable(box) else { return malformed(box, needed: 8) }
        // More edits than this are no recording's, and memory for them is not given by a number in a file.
        guard table.count <= 1000 else {
            log.report(.editList, "\(track.title): \(box.name) has \(table.count) edits, more than can be judged")
            return
        }
        var edits: [TrackLayout.Edit] = []
        for index in 0..<table.count {
            let place = table.first + index * Int64(table.entrySize)
            var reader = ByteReader(try window.boxBytes(at: place, count: table.entrySize))
            let isLong = table.entrySize == 20
            guard let duration = isLong ? reader.take64() : reader.take32().map(UInt64.init),
                let time = isLong
                    ? reader.take64().map(Int64.init(bitPattern:))
                    : reader.take32().map({ Int64(Int32(bitPattern: $0)) }),
                let rate = reader.take32()
            else { return }
            edits.append(.init(duration: duration, mediaTime: time, rate: Int32(bitPattern: rate)))
        }
        track.edits = edits
    }

    private func editTable(_ box: BoxHeader) -> Table? {
        guard let full = try? window.number32(at: box.payload), box.payloadSize >= 8, full >> 24 <= 1,
            let count = try? window.number32(at: box.payload + 4)
        else { return nil }
        let entrySize = full >> 24 == 1 ? 20 : 12
        let room = box.payloadSize - 8
        if Int64(count) * Int64(entrySize) != room {
            log.report(
                .tableCount,
                "\(track.title): \(box.name) says it has \(count) edits of \(entrySize) bytes, but has \(room) bytes")
        }
        return Table(
            box: box, first: box.payload + 8, count: min(Int64(count), room / Int64(entrySize)), entrySize: entrySize)
    }

    private mutating func readDescriptions(_ box: BoxHeader) throws(BoxFault) {
        guard box.payloadSize >= 8 else { return malformed(box, needed: 8) }
        let declared = Int64(try window.number32(at: box.payload + 4))
        let parser = SampleDescriptionParser(window: window, log: log, title: track.title)
        var boxes = BoxSequence(window, inside: box, skipping: 8)
        var found: Int64 = 0
        // Each description takes at least eight bytes; the walk ends at the first that is none.
        while found < declared, let entry = try? boxes.next() {
            found += 1
            if found == 1 { track.entry = parser.read(entry, handler: track.handler) }
        }
        track.entryCount = Int(found)
        if found != declared {
            log.report(
                .tableCount, "\(track.title): \(box.name) says it has \(declared) descriptions, but has \(found)")
        }
    }

    /// A duration of 32 or 64 bits, of which all ones mean that it is not known.
    private static func duration(_ reader: inout ByteReader, isLong: Bool) -> (value: UInt64?, Void)? {
        if isLong { return reader.take64().map { ($0 == .max ? nil : $0, ()) } }
        return reader.take32().map { ($0 == .max ? nil : UInt64($0), ()) }
    }

    /// The text before the first zero; QuickTime puts its length in front.
    private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
        var part = bytes[...]
        if let length = part.first, Int(length) == part.count - 1, length < 32 { part = part.dropFirst() }
        let end = part.firstIndex(of: 0) ?? part.endIndex
        return String(decoding: part[..<end], as: UTF8.self)
    }

    private func malformed(_ box: BoxHeader, needed: Int) {
        log.report(
            .boxContent,
            "\(track.title): \(box.name) has \(box.payloadSize) bytes where \(needed) are needed, or an unknown version"
        )
    }

    private mutating func attempt(_ box: BoxHeader, _ body: (inout TrackParser) throws(BoxFault) -> Void) {
        do {
            try body(&self)
        } catch {
            log.report(error, in: box)
        }
    }
}
