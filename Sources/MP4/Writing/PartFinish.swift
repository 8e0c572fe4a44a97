import Linux
import Media

/// The last steps of a part, the same for the writer and for recovery: the tables behind the last fragment, a barrier, the
/// header that makes the file an ordinary MP4, a barrier. No media byte is read or written.
struct PartFinish {
    /// Where the bytes go.
    let output: any PartOutput
    /// What the file holds; fragments that must be given up for room are taken from it.
    let tables: PartTables
    /// Names the session whose part it is.
    let record: SessionRecord
    /// The name of the file for messages.
    let path: String
    /// Whether fragments may be given up so that the tables find room. A recording that has to end now may lose its last
    /// moments; one that lies there and plays can wait for room.
    let mayShorten: Bool

    /// What had to be given up so that the tables found room.
    struct Loss {
        var fragments = 0
        var nanoseconds: Int64 = 0
    }

    /// Finishes the file.
    /// - Returns: its size, and what had to be given up for it.
    /// - Throws: `Failure` of kind mediumFull when the tables do not fit, not even those of one fragment where it may be
    ///   shortened; mediumFailed or mediumReadOnly. The file can be recovered then.
    func run() throws(Failure) -> (byteCount: Int64, loss: Loss) {
        let durationBefore = tables.nanoseconds
        var loss = Loss()
        while true {
            let end: Int64
            do {
                end = try writeTables()
            } catch {
                try makeRoom(after: error)
                loss.fragments += 1
                continue
            }
            // The tables must be on the medium before anything refers to them: cut between the two, the file is still
            // the one that was being recorded.
            try synchronise()
            do {
                try output.write(bytes: FileHeader.final(movieOffset: tables.end), at: 0)
            } catch {
                throw .medium(error, thing)
            }
            try synchronise()
            loss.nanoseconds = durationBefore - tables.nanoseconds
            return (end, loss)
        }
    }

    private var thing: String { "cannot finish \(path)" }

    private func writeTables() throws(Errno) -> Int64 {
        let stream = PieceStream(output, at: tables.end)
        try FinalMovie(tables, record: record).write(to: stream)
        return try stream.flush()
    }

    private func synchronise() throws(Failure) {
        do {
            try output.synchronise()
        } catch {
            throw .flush(error, thing)
        }
    }

    private func makeRoom(after reason: Errno) throws(Failure) {
        let canShorten = mayShorten && Failure.isFull(reason) && tables.fragmentCount > 1
        if canShorten { tables.removeLastFragment() }
        do {
            try output.truncate(to: tables.end)
        } catch {
            throw .medium(canShorten ? error : reason, thing)
        }
        if !canShorten { throw .medium(reason, thing) }
    }
}
