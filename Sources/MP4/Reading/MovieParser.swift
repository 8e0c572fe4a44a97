import Media

/// Reads a `moov` box and reports what is malformed in it.
struct MovieParser {
    let window: FileWindow
    let log: FaultLog

    /// - Parameters:
    ///   - box: the movie box.
    ///   - end: where fragments that belong to it end.
    func read(_ box: BoxHeader, to end: Int64) -> MovieLayout {
        var movie = MovieLayout(box: box, end: end)
        var boxes = BoxSequence(window, inside: box)
        var extends: BoxHeader?
        var hasHeader = false
        while let child = try? boxes.next() {
            switch child.type {
            case "mvhd" where !hasHeader:
                hasHeader = true
                readHeader(child, &movie)
            case "mvex" where extends == nil: extends = child
            case "trak":
                guard movie.tracks.count < MovieLayout.mostTracks else {
                    log.report(.boxDepth, "\(box.name) has more than \(MovieLayout.mostTracks) tracks")
                    return movie
                }
                var parser = TrackParser(child, window, log)
                movie.tracks.append(parser.read())
            default: continue
            }
        }
        if let extends {
            movie.isFragmented = true
            readDefaults(extends, &movie)
        }
        return movie
    }

    private func readHeader(_ box: BoxHeader, _ movie: inout MovieLayout) {
        do {
            var reader = ByteReader(try box.content(window, limit: 128))
            let isLong = reader.take32().map { $0 >> 24 == 1 } ?? false
            let needed: Int64 = isLong ? 112 : 100
            guard box.payloadSize == needed, reader.skip(isLong ? 16 : 8), let timescale = reader.take32(),
                let duration = isLong ? reader.take64() : reader.take32().map(UInt64.init)
            else {
                log.report(.boxContent, "\(box.name) has \(box.payloadSize) bytes where \(needed) are needed")
                return
            }
            movie.timescale = Int64(timescale)
            // Speed, volume, reserved bytes, the matrix and more reserved bytes are no matter here.
            if reader.skip(76) { movie.nextTrack = reader.take32() }
            movie.duration = duration == (isLong ? .max : UInt64(UInt32.max)) ? nil : duration
        } catch {
            log.report(error, in: box)
        }
    }

    private func readDefaults(_ extends: BoxHeader, _ movie: inout MovieLayout) {
        var boxes = BoxSequence(window, inside: extends)
        while let box = try? boxes.next() {
            guard box.type == "trex" else { continue }
            do {
                var reader = ByteReader(try box.content(window, limit: 32))
                guard box.payloadSize == 24, reader.skip(4), let id = reader.take32(),
                    let description = reader.take32(), let duration = reader.take32(), let size = reader.take32(),
                    let flags = reader.take32()
                else {
                    log.report(.boxContent, "\(box.name) has \(box.payloadSize) bytes where 24 are needed")
                    continue
                }
                guard let index = movie.tracks.firstIndex(where: { $0.id == id }) else {
                    log.report(.fragmentTrack, "\(box.name) is for track \(id), which there is not")
                    continue
                }
                movie.tracks[index].defaults = FragmentDefaults(
                    descriptionIndex: description, duration: duration, size: size, flags: flags)
            } catch {
                log.report(error, in: extends)
            }
        }
    }
}
