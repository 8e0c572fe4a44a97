import CKernel
import Linux
import Media

/// Steps from fragment record to fragment record of one part. What the file's size says is never believed: a fragment
/// counts when it can be read and its checksums agree.
struct RecordWalk {
    private let window: FileWindow
    private let session: SessionRecord
    private let movieChecksum: UInt32
    private var parser: FragmentParser

    /// Bytes that the window must be able to show at once.
    static let windowByteCount = FragmentRecord.byteCount + Int(FragmentRecord.largestHeader) + 4096

    init(_ window: FileWindow, session: SessionRecord, movie: MovieDescription) {
        self.window = window
        self.session = session
        movieChecksum = movie.checksum
        parser = FragmentParser(trackCount: movie.tracks.count)
    }

    /// The samples of the fragment that was read last.
    var runs: [SampleRun] { parser.runs }

    /// The chapters that begin in the fragment that was read last.
    var chapters: [Chapter] { parser.chapters }

    /// Reads record and headers of the fragment at a place, but not its media.
    /// - Parameter sequence: the number that it must have, from 1.
    /// - Returns: the record; nil when the bytes there are not that fragment, or cannot be read.
    mutating func fragment(at offset: Int64, sequence: UInt32) -> FragmentRecord? {
        guard let record = Self.record(window, at: offset), record.session == session.session.identifier,
            record.part == session.part, record.sequence == sequence, record.movieChecksum == movieChecksum,
            record.durableEnd <= offset,
            let headers = try? window.bytes(
                at: offset + Int64(FragmentRecord.byteCount), count: Int(record.headerLength)),
            headers.count == Int(record.headerLength), parser.read(headers, record: record)
        else { return nil }
        return record
    }

    /// Reads a record and holds it and the headers behind it against their checksum.
    /// - Returns: nil when they do not agree, or cannot be read.
    static func record(_ window: FileWindow, at offset: Int64) -> FragmentRecord? {
        guard let start = try? window.bytes(at: offset, count: FragmentRecord.byteCount),
            let (record, checksum) = FragmentRecord.read(start)
        else { return nil }
        let length = FragmentRecord.byteCount + Int(record.headerLength)
        guard let bytes = try? window.bytes(at: offset, count: length), bytes.count == length else { return nil }
        let actual = FragmentRecord.checksum(
            UnsafeRawBufferPointer(rebasing: bytes[..<FragmentRecord.byteCount]),
            UnsafeRawBufferPointer(rebasing: bytes[FragmentRecord.byteCount...]))
        return actual == checksum ? record : nil
    }

    /// Holds the media of a fragment against their checksum.
    func isMediaWhole(_ record: FragmentRecord, at offset: Int64) -> Bool {
        let start = offset + Int64(FragmentRecord.byteCount) + Int64(record.headerLength)
        return window.checksum(from: start, count: Int64(record.mediaLength)) == record.mediaChecksum
    }
}

extension FileWindow {
    /// The CRC-32C of a part of the file.
    /// - Returns: nil when the file ends before, or cannot be read.
    func checksum(from offset: Int64, count: Int64) -> UInt32? {
        var checksum: UInt32 = 0
        var place = offset
        while place < offset + count {
            let wanted = Int(min(offset + count - place, 64 << 10))
            guard let piece = try? bytes(at: place, count: wanted), piece.count == wanted else { return nil }
            checksum = ckernel_crc32c(checksum, piece.baseAddress, piece.count)
            place += Int64(wanted)
        }
        return checksum
    }
}
