import Media

/// Checks that the description of a sound track agrees with the decoder's configuration in it.
struct SoundDescriptionCheck {
    let log: FaultLog
    /// Whether the file is one of our own.
    let isOurs: Bool
    let track: TrackLayout
    let entry: SampleDescription

    func check() {
        if entry.channels == 0 {
            log.report(.audioFormat, "\(track.title): '\(entry.format)' has no channel")
        }
        guard entry.format == "mp4a" else { return }
        guard let stream = entry.stream else {
            // A descriptor that is there and malformed was reported where it was read.
            if log.count(.audioDescriptor) == 0 {
                log.report(.audioDescriptor, "\(track.title): 'mp4a' has no descriptor 'esds'")
            }
            return
        }
        if stream.streamType != 5 {
            log.report(
                .audioDescriptor, "\(track.title): 'esds' says stream type \(stream.streamType), not 5 for sound")
        }
        guard let audio = entry.audio else { return }
        if entry.rate != 0, entry.rate != audio.rate, entry.rate != audio.extendedRate {
            log.report(
                .audioFormat,
                "\(track.title): 'mp4a' says \(entry.rate) Hz, the decoder's configuration says \(audio.rate) Hz")
        }
        if isOurs || (entry.rate == 0 && audio.rate < 65536), track.timescale != Int64(audio.rate) {
            log.report(
                .audioFormat,
                "\(track.title): its timescale is \(track.timescale), the decoder's configuration says \(audio.rate) Hz"
            )
        }
        // 2 is what the field holds by ISO/IEC 14496-14, whatever the stream has; many writers keep to that.
        let isAllowed = audio.channels == 0 || entry.channels == audio.channels || (!isOurs && entry.channels == 2)
        if !isAllowed {
            log.report(
                .audioFormat,
                "\(track.title): 'mp4a' says \(entry.channels) channels, the decoder's configuration says \(audio.channels)"
            )
        }
    }
}
