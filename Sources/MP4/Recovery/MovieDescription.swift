import CKernel
import Media

/// The `moov` in front of the fragments, read back.
struct MovieDescription {
    /// What the tracks are.
    let tracks: [TrackDescription]
    /// Where the first fragment begins.
    let end: Int64
    /// CRC-32C of the box, which every fragment's record repeats.
    let checksum: UInt32
    /// What people say of the recording.
    let metadata: RecordingMetadata

    /// The most bytes that the box may have.
    private static let largestSize: Int64 = 1 << 20
    private static let mostTracks = 64

    /// Reads the box.
    /// - Throws: `BoxFault` where the bytes are no boxes or cannot be read.
    /// - Returns: nil when the box is none that the writer writes.
    static func read(_ window: FileWindow, at offset: Int64) throws(BoxFault) -> MovieDescription? {
        let limit = offset + largestSize
        let movie = try BoxHeader.read(window, at: offset, limit: limit)
        guard movie.type == "moov" else { return nil }
        let bytes = try window.boxBytes(at: offset, count: Int(movie.size))
        let checksum = ckernel_crc32c(0, bytes.baseAddress, bytes.count)
        var tracks: [TrackDescription] = []
        var boxes = BoxSequence(window, inside: movie)
        while let box = try boxes.next() {
            guard box.type == "trak" else { continue }
            guard let track = try TrackDescription.read(window, box, number: tracks.count) else { return nil }
            tracks.append(track)
            guard tracks.count <= mostTracks else { return nil }
        }
        guard !tracks.isEmpty else { return nil }
        return MovieDescription(
            tracks: tracks, end: movie.end, checksum: checksum, metadata: MetadataBoxes.read(window, in: movie))
    }
}

extension TrackDescription {
    /// Reads a `trak`.
    /// - Returns: nil when it is none that the writer writes.
    fileprivate static func read(
        _ window: FileWindow, _ trak: BoxHeader, number: Int
    ) throws(BoxFault) -> TrackDescription? {
        guard let header = try first("tkhd", in: trak, window), let media = try first("mdia", in: trak, window),
            let mediaHeader = try first("mdhd", in: media, window), let handler = try first("hdlr", in: media, window),
            let information = try first("minf", in: media, window),
            let table = try first("stbl", in: information, window),
            let description = try first("stsd", in: table, window)
        else { return nil }
        let isLong = try window.number32(at: header.payload) >> 24 == 1
        guard try window.number32(at: header.payload + (isLong ? 20 : 12)) == UInt32(number + 1) else { return nil }
        let width = try window.number32(at: header.payload + (isLong ? 88 : 76)) >> 16
        let height = try window.number32(at: header.payload + (isLong ? 92 : 80)) >> 16
        let isMediaLong = try window.number32(at: mediaHeader.payload) >> 24 == 1
        let timescale = try window.number32(at: mediaHeader.payload + (isMediaLong ? 20 : 12))
        let kind = BoxType(try window.number32(at: handler.payload + 8))
        guard timescale > 0, timescale <= UInt32(Int32.max), handler.payloadSize > 24,
            let entry = try sampleEntry(window, description, isVideo: kind == "vide")
        else { return nil }
        let name = try window.boxBytes(at: handler.payload + 24, count: Int(handler.payloadSize) - 25)
        return TrackDescription(
            isVideo: kind == "vide", timescale: timescale, width: Int(width), height: Int(height),
            name: String(decoding: name, as: UTF8.self), sampleEntry: entry)
    }

    private static func sampleEntry(
        _ window: FileWindow, _ description: BoxHeader, isVideo: Bool
    ) throws(BoxFault) -> [UInt8]? {
        let entry = try BoxHeader.read(window, at: description.payload + 8, limit: description.end)
        guard entry.type == (isVideo ? "avc1" : "mp4a"), entry.size > 2 * Int64(bitRateByteCount) else { return nil }
        let last = try BoxHeader.read(window, at: entry.end - Int64(bitRateByteCount), limit: entry.end)
        guard last.type == "btrt", last.end == entry.end else { return nil }
        return Array(try window.boxBytes(at: entry.offset, count: Int(entry.size)))
    }

    private static func first(
        _ type: BoxType, in parent: BoxHeader, _ window: FileWindow
    ) throws(BoxFault) -> BoxHeader? {
        var boxes = BoxSequence(window, inside: parent)
        while let box = try boxes.next() {
            if box.type == type { return box }
        }
        return nil
    }
}
