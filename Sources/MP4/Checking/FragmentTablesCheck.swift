import Media

/// Holds the final tables of our own finished file against what its hidden fragments say of the same samples.
struct FragmentTablesCheck {
    let file: MovieFile
    let log: FaultLog
    let movie: MovieLayout
    /// Where the final movie box begins; the fragments end there.
    let end: Int64

    func check() {
        let start = SessionRecord.offset + Int64(SessionRecord.byteCount)
        guard let box = try? BoxHeader.read(file.window, at: start, limit: end), box.type == "moov" else { return }
        // What is malformed in this box shows by the checksum in each record.
        let hidden = MovieParser(window: file.window, log: FaultLog()).read(box, to: end)
        for track in movie.tracks {
            guard let index = hidden.tracks.firstIndex(where: { $0.id == track.id }) else {
                log.report(.fragmentTables, "\(track.title) is in the final tables and not in the fragments")
                continue
            }
            do {
                try compare(track, hidden, index, from: box.end)
            } catch {
                // Fragments that cannot be walked were reported when their records were checked.
                return
            }
        }
    }

    private func compare(_ track: TrackLayout, _ hidden: MovieLayout, _ index: Int, from start: Int64) throws {
        var final = try TableSampleCursor(file.descriptor.raw, track.tables)
        var fragments = FragmentSampleCursor(
            file.descriptor.raw, hidden.tracks, trackIndex: index, from: start, to: end)
        var count: Int64 = 0
        // Each sample of the fragments has at least a byte in its run, so that this ends.
        while let expected = try fragments.next() {
            guard let found = try final.next() else {
                log.report(
                    .fragmentTables, "\(track.title): the final tables end behind sample \(count), the fragments do not"
                )
                return
            }
            count += 1
            // How long a sample lasts follows from the times, but for the last one of a track.
            if found.offset != expected.offset || found.size != expected.size || found.time != expected.time
                || found.isSync != expected.isSync
            {
                log.report(
                    .fragmentTables,
                    "\(track.title), sample \(count): the final tables say \(Self.text(found)), the fragments say "
                        + Self.text(expected))
                return
            }
        }
        if try final.next() != nil {
            log.report(
                .fragmentTables, "\(track.title): the fragments end behind sample \(count), the final tables do not")
        }
    }

    private static func text(_ sample: Sample) -> String {
        "\(sample.size) bytes at \(sample.offset), time \(sample.time)" + (sample.isSync ? ", sync" : "")
    }
}
