import Media

/// Steps over the samples of one track, in decode order: first those of the tables, then those of the fragments. It keeps
/// a few small windows of the file in memory and never a whole table.
public struct SampleCursor {
    // Keeps the file open.
    private let file: MovieFile
    private let movie: MovieLayout
    private let trackIndex: Int
    private var tables: TableSampleCursor?
    private var fragments: FragmentSampleCursor?
    private var left: Int64

    init(_ file: MovieFile, _ movie: MovieLayout, trackIndex: Int) throws(Failure) {
        self.file = file
        self.movie = movie
        self.trackIndex = trackIndex
        left = file.byteCount
        do {
            tables = try TableSampleCursor(file.descriptor.raw, movie.tracks[trackIndex].tables)
        } catch {
            throw file.failure(error)
        }
    }

    /// The next sample; nil behind the last one.
    /// - Throws: `Failure` of kind damaged, or mediumFailed where the medium gives an error.
    public mutating func next() throws(Failure) -> Sample? {
        let sample: Sample?
        do {
            sample = try nextAnywhere()
        } catch {
            throw file.failure(error)
        }
        guard let sample else { return nil }
        // Samples that share no byte are never more than the file has bytes: so a few bytes cannot make a walk of
        // billions of steps.
        guard left > 0 else {
            throw Failure(.damaged, "cannot read \(file.path)", because: "it names more samples than it has bytes")
        }
        left -= 1
        return sample
    }

    private mutating func nextAnywhere() throws(FragmentWalk.Trouble) -> Sample? {
        if let sample = try nextInTables() { return sample }
        if tables != nil {
            tables = nil
            if movie.isFragmented {
                fragments = FragmentSampleCursor(
                    file.descriptor.raw, movie.tracks, trackIndex: trackIndex, from: 0, to: movie.end)
            }
        }
        return try fragments?.next()
    }

    private mutating func nextInTables() throws(FragmentWalk.Trouble) -> Sample? {
        do {
            return try tables?.next()
        } catch {
            throw .box(error, in: nil)
        }
    }
}
