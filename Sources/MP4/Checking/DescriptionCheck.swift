import Media

/// Checks that what a file says of its tracks agrees: the kind of track, its media header and its sample description.
struct DescriptionCheck {
    let window: FileWindow
    let log: FaultLog
    /// Whether the file is one of our own, of which more is promised.
    let isOurs: Bool

    /// Checks all tracks, and that they differ.
    func check(_ movie: MovieLayout) {
        if movie.tracks.isEmpty { log.report(.trackMissing, "\(movie.box.name) has no track") }
        if movie.timescale == 0 { log.report(.timescale, "the movie's timescale is 0") }
        var numbers: Set<UInt32> = []
        for track in movie.tracks {
            if track.id == 0 {
                log.report(.trackNumber, "\(track.box.name) has the number 0")
            } else if !numbers.insert(track.id).inserted {
                log.report(.trackNumber, "\(track.box.name) has the number \(track.id), which another one has")
            }
            check(track)
        }
        // ffmpeg writes 2 into every fragmented file, and nobody minds.
        if isOurs || !movie.isFragmented, let next = movie.nextTrack, let largest = numbers.max(), next <= largest {
            log.report(
                .trackNumber, "'mvhd' says that the next track gets number \(next), but there is a track \(largest)")
        }
    }

    private func check(_ track: TrackLayout) {
        if track.timescale == 0 { log.report(.timescale, "\(track.title): its timescale is 0") }
        checkHandler(track)
        checkDataReference(track)
        guard let entry = track.entry else { return }
        switch track.handler {
        case "vide": VideoDescriptionCheck(log: log, isOurs: isOurs, track: track, entry: entry).check()
        case "soun": SoundDescriptionCheck(log: log, isOurs: isOurs, track: track, entry: entry).check()
        default: break
        }
    }

    private func checkHandler(_ track: TrackLayout) {
        let expected: BoxType? =
            switch track.handler {
            case "vide": "vmhd"
            case "soun": "smhd"
            default: nil
            }
        guard track.handler.isPlausible, track.handler != "none" else {
            log.report(.handler, "\(track.title): '\(track.handler)' is no kind of track")
            return
        }
        if let expected, track.mediaHeader != expected {
            log.report(
                .handler,
                "\(track.title): it is of kind '\(track.handler)', but its media header is "
                    + (track.mediaHeader.map { "'\($0)'" } ?? "missing") + " instead of '\(expected)'")
        }
        guard let format = track.entry?.format, let kind = Self.kinds[format] else { return }
        if kind != track.handler {
            log.report(
                .handler,
                "\(track.title): it is of kind '\(track.handler)', but its samples are '\(format)', which are '\(kind)'"
            )
        }
    }

    /// The kind of track that well-known sample descriptions belong to.
    private static let kinds: [BoxType: BoxType] = [
        "avc1": "vide", "avc3": "vide", "hvc1": "vide", "hev1": "vide", "mp4v": "vide", "av01": "vide", "vp09": "vide",
        "mp4a": "soun", "Opus": "soun", "ac-3": "soun", "ec-3": "soun", "fLaC": "soun", "alac": "soun",
    ]

    private func checkDataReference(_ track: TrackLayout) {
        guard let media = track.box.firstChildren(["mdia"], window)["mdia"]?.firstChildren(["minf"], window)["minf"],
            let list = media.firstChildren(["dinf"], window)["dinf"]?.firstChildren(["dref"], window)["dref"]
        else { return }
        var references = BoxSequence(window, inside: list, skipping: 8)
        var count = 0
        while let reference = try? references.next() {
            count += 1
            guard count == Int(track.entry?.dataReferenceIndex ?? 0) else { continue }
            if let full = try? window.number32(at: reference.payload), full & 1 == 0 {
                log.report(
                    .dataReference, "\(track.title): \(reference.name) says that the samples are in another file")
            }
        }
        if let entry = track.entry, entry.dataReferenceIndex == 0 || Int(entry.dataReferenceIndex) > count {
            log.report(
                .dataReference,
                "\(track.title): its description refers to data reference \(entry.dataReferenceIndex), but there are \(count)"
            )
        }
    }
}
