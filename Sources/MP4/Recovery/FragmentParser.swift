import Media

/// Reads back the `moof` of one of our own fragments. It takes nothing that the writer would not have written: whatever
/// else the bytes may mean, they are not ours.
struct FragmentParser {
    /// The samples of each track in the fragment that was read last.
    private(set) var runs: [SampleRun]
    /// The chapters that begin in it.
    private(set) var chapters: [Chapter] = []

    init(trackCount: Int) {
        runs = Array(repeating: SampleRun(), count: trackCount)
    }

    /// Reads the headers of a fragment.
    /// - Parameters:
    ///   - bytes: the `moof` and the header of the `mdat`.
    ///   - record: the record in front of them.
    /// - Returns: false when they are not as the writer writes them, or do not agree with the record.
    mutating func read(_ bytes: UnsafeRawBufferPointer, record: FragmentRecord) -> Bool {
        for track in runs.indices { runs[track].removeAll() }
        chapters = []
        var reader = ByteReader(bytes)
        guard var moof = reader.takeBox("moof"), reader.take32() == record.mediaLength + 8,
            reader.take32() == BoxType("mdat").code, reader.remaining == 0,
            var header = moof.takeBox("mfhd"), header.take32() == 0, header.take32() == record.sequence
        else { return false }
        var place = bytes.count
        var nextTrack = 0
        while moof.remaining > 0 {
            if nextTrack > 0, let record = moof.peek("uuid") {
                guard let found = ChapterRecord.read(record.content), record.isLast else { return false }
                chapters = found
                break
            }
            guard let traf = moof.takeBox("traf"), let track = read(traf, from: nextTrack, place: place) else {
                return false
            }
            place += runs[track].byteCount
            nextTrack = track + 1
        }
        return nextTrack > 0 && place == bytes.count + Int(record.mediaLength)
    }

    /// Reads a `traf`.
    /// - Returns: the number of its track.
    private mutating func read(_ traf: ByteReader, from nextTrack: Int, place: Int) -> Int? {
        var traf = traf
        guard var header = traf.takeBox("tfhd"), let flags = header.take32(), flags & ~0x28 == 0x02_0000,
            let identifier = header.take32(), identifier > nextTrack, identifier <= runs.count,
            let defaultDuration = flags & 0x08 == 0 ? 0 : header.take32(),
            let defaultFlags = flags & 0x20 == 0 ? SampleFlags.dependent : header.take32(),
            var time = traf.takeBox("tfdt"), time.take32() == 1 << 24, let baseTime = time.take64(),
            baseTime <= UInt64(Int64.max / 2),
            var run = traf.takeBox("trun"), let runFlags = run.take32(), runFlags & ~0x504 == 0x201,
            let count = run.take32(), count > 0, Int(count) <= run.remaining / 4, run.take32() == UInt32(place),
            traf.remaining == 0
        else { return nil }
        let track = Int(identifier) - 1
        runs[track].baseTime = Int64(baseTime)
        var firstFlags = runFlags & 0x04 == 0 ? nil : run.take32()
        for _ in 0..<count {
            guard let duration = runFlags & 0x100 == 0 ? defaultDuration : run.take32(), duration > 0,
                let size = run.take32(), size > 0, size <= SampleEntry.largestSize,
                let sampleFlags = runFlags & 0x400 == 0 ? defaultFlags : run.take32()
            else { return nil }
            let isSync = (firstFlags ?? sampleFlags) & SampleFlags.isNotSync == 0
            firstFlags = nil
            runs[track].entries.append(SampleEntry(size: Int(size), isSync: isSync, duration: duration))
            runs[track].byteCount += Int(size)
        }
        return run.remaining == 0 ? track : nil
    }
}

extension ByteReader {
    /// The content of the next box, if it has the name, and whether nothing follows it.
    fileprivate func peek(_ type: BoxType) -> (content: ByteReader, isLast: Bool)? {
        var copy = self
        return copy.takeBox(type).map { ($0, copy.remaining == 0) }
    }

    /// The content of the next box, which must have the name.
    fileprivate mutating func takeBox(_ type: BoxType) -> ByteReader? {
        guard let size = take32(), size >= 8, take32() == type.code, let content = take(Int(size) - 8) else {
            return nil
        }
        return ByteReader(content)
    }
}
