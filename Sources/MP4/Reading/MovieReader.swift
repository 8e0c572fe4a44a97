import Linux
import Media

/// Reads an MP4 file, progressive or fragmented, finished or still without its final tables: what tracks it has, where
/// their samples lie and what is in them. Memory does not depend on the file's length. It is used by one thread at a time.
public final class MovieReader {
    private let file: MovieFile
    private let movie: MovieLayout

    /// The tracks, in the order of the file.
    public let tracks: [MovieTrack]

    /// Bytes of the file.
    public var byteCount: Int64 { file.byteCount }

    /// Whether the file has its final tables; false for a recording that runs, or that nobody has finished.
    public var isWhole: Bool { !movie.isFragmented && movie.duration != nil }

    /// How long it is in nanoseconds, by its final tables; nil where there are none.
    public var duration: Int64? {
        guard isWhole, movie.timescale > 0, let duration = movie.duration.flatMap({ Int64(exactly: $0) }) else {
            return nil
        }
        return rescale(duration, by: 1_000_000_000, over: movie.timescale)
    }

    /// What people said of the recording; empty for files that are none of ours.
    public var metadata: RecordingMetadata { MetadataBoxes.read(file.window, in: movie.box) }

    /// Opens a file.
    /// - Throws: `Failure` of kind notARecording (also where there is no such file), notAuthorised, mediumFailed.
    public init(path: String) throws(Failure) {
        file = try MovieFile(path: path)
        guard let box = try file.movieBox() else {
            throw Failure(
                .notARecording, "cannot read \(path)", because: "it has no movie box, so nobody knows what is in it",
                mend: "If it was cut off while it was recorded, try kinebox recover.")
        }
        movie = MovieParser(window: file.window, log: FaultLog()).read(box, to: file.byteCount)
        tracks = movie.tracks.map { MovieTrack($0) }
    }

    /// The samples of a track, in decode order.
    /// - Parameter track: the place in `tracks`.
    /// - Throws: `Failure` of kind damaged or mediumFailed.
    public func samples(ofTrack track: Int) throws(Failure) -> SampleCursor {
        try SampleCursor(file, movie, trackIndex: track)
    }

    /// Reads a sample's bytes.
    /// - Parameters:
    ///   - sample: one of this file.
    ///   - buffer: takes the bytes; room for as many as the sample has.
    /// - Returns: the number of bytes, the sample's size.
    /// - Throws: `Failure` of kind damaged where the sample leaves the file or the buffer, or mediumFailed.
    public func read(_ sample: Sample, into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        guard sample.size >= 0, sample.size <= buffer.count, sample.offset >= 0,
            sample.offset <= byteCount - sample.size
        else {
            throw Failure(
                .damaged, "cannot read \(file.path)",
                because: "sample \(sample.index + 1) lies outside the file, or is larger than \(buffer.count) bytes")
        }
        let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(sample.size)])
        let count: Int
        do {
            count = try file.descriptor.read(into: part, at: sample.offset)
        } catch {
            throw Failure(.mediumFailed, "cannot read \(file.path)", because: error.description)
        }
        guard count == part.count else {
            throw Failure(.damaged, "cannot read \(file.path)", because: "it became shorter")
        }
        return count
    }
}
