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
        // The titles of chapters are no samples in the fragments: ChapterCheck looks at them.
        for track in movie.tracks where track.handler != "text" {
            guard let index = hidden.tracks.firstIndex(where: { $0.id == track.id }) else {
                log.report(.fragmentTables, "\(track.title) is in the final tables and not in the fragments")
                continue
            }
            let fragments = FragmentSampleCursor(
                file.descriptor.raw, hidden.tracks, trackIndex: index, from: box.end, to: end)
            guard let final = try? TableSampleCursor(file.descriptor.raw, track.tables) else { return }
            compare(track, final, fragments)
        }
    }

    /// Where one of the two cannot be read it counts as ended: they do not agree then.
    private func compare(_ track: TrackLayout, _ final: TableSampleCursor, _ fragments: FragmentSampleCursor) {
        var (final, fragments) = (final, fragments)
        var count: Int64 = 0
        // Each step takes a sample from the tables, of which there are not more than bytes in the file.
        while let found = try? final.next() {
            count += 1
            guard let expected = try? fragments.next() else {
                log.report(
                    .fragmentTables,
                    "\(track.title): the fragments end behind sample \(count - 1), the final tables do not")
                return
            }
            // How long a sample lasts follows from the times, but for the last one of a track.
            guard found.offset == expected.offset, found.size == expected.size, found.time == expected.time,
                found.isSync == expected.isSync
            else {
                log.report(
                    .fragmentTables,
                    "\(track.title), sample \(count): the final tables say \(Self.text(found)), the fragments say "
                        + Self.text(expected))
                return
            }
        }
        if (try? fragments.next()) != nil {
            log.report(
                .fragmentTables, "\(track.title): the final tables end behind sample \(count), the fragments do not")
        }
    }

    private static func text(_ sample: Sample) -> String {
        "\(sample.size) bytes at \(sample.offset), time \(sample.time)" + (sample.isSync ? ", sync" : "")
    }
}
