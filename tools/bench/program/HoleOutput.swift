import Linux
import MP4

/// A part's file in which the fragments are left out as holes, so that a day of recording fits on any disk: samples for
/// their size, and what stands in front of them because a block for each second of the day would take minutes to remove.
/// Start and end are written as they are in earnest. Flushes are left out until the bench wants to know what they cost.
final class HoleOutput: PartOutput {
    private let file: FileOutput
    /// Whether a flush reaches the medium.
    var isFlushing = false
    /// Bytes of samples so far.
    private(set) var mediaByteCount: Int64 = 0

    init(_ file: FileOutput) {
        self.file = file
    }

    func write(_ pieces: [OutputPiece], at offset: Int64) throws(Errno) {
        let media = pieces.reduce(0) { $0 + ($1.isMedia ? $1.bytes.count : 0) }
        mediaByteCount += Int64(media)
        if media == 0 { try file.write(pieces, at: offset) }
    }

    func synchronise() throws(Errno) {
        if isFlushing { try file.synchronise() }
    }

    func truncate(to length: Int64) throws(Errno) {
        try file.truncate(to: length)
    }

    func forget(before offset: Int64) {
        if isFlushing { file.forget(before: offset) }
    }

    func remove() throws(Errno) {
        try file.remove()
    }
}
