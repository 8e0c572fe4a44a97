import Media

/// The `moov` in front of the fragments: all about the tracks, and no samples (ISO/IEC 14496-12, 8.8.1).
enum FragmentedMovie {
    /// The box.
    /// - Parameters:
    ///   - creation: seconds since 1904, 0 when not known.
    ///   - metadata: what people say of the recording.
    static func bytes(tracks: [TrackDescription], creation: UInt64, metadata: RecordingMetadata) -> [UInt8] {
        var writer = ByteWriter(reserving: 1024)
        writer.put(box: "moov") { moov in
            MovieBoxes.putMovieHeader(creation: creation, duration: 0, trackCount: tracks.count, into: &moov)
            for (number, track) in tracks.enumerated() {
                let tables = emptyTables
                MovieBoxes.putTrack(
                    track, number: number, isEnabled: tracks.isFirstOfItsKind(number), creation: creation,
                    movieDuration: 0, mediaDuration: 0, sampleEntry: track.sampleEntry, tables: tables.count,
                    into: &moov)
                moov.put(tables)
            }
            moov.put(box: "mvex") { mvex in
                for (number, track) in tracks.enumerated() {
                    mvex.put(fullBox: "trex") { box in
                        box.put32(UInt32(number + 1))
                        box.put32(1)
                        box.put32(0)
                        box.put32(0)
                        box.put32(track.isVideo ? SampleFlags.dependent : SampleFlags.sync)
                    }
                }
            }
            moov.put(MetadataBoxes.userData(metadata, creation: creation))
        }
        return writer.bytes
    }

    private static var emptyTables: [UInt8] {
        var writer = ByteWriter(reserving: 68)
        writer.put(fullBox: "stts") { $0.put32(0) }
        writer.put(fullBox: "stsc") { $0.put32(0) }
        writer.put(fullBox: "stsz") { $0.put64(0) }
        writer.put(fullBox: "stco") { $0.put32(0) }
        return writer.bytes
    }
}

extension [TrackDescription] {
    /// True for the first picture track and the first sound track: a player plays one of each kind.
    func isFirstOfItsKind(_ number: Int) -> Bool {
        !self[..<number].contains { $0.isVideo == self[number].isVideo }
    }
}
