import MP4

extension PartSummary {
    /// "talk.mp4: 10.0 s, 300 frames, 1 sound track, 5.2 MB".
    var words: String {
        let video = tracks.first { $0.isVideo }
        let sounds = tracks.filter { !$0.isVideo }.count
        var pieces = [Wording.duration(nanoseconds: video?.nanoseconds ?? 0)]
        pieces.append(Wording.count(Int64(video?.sampleCount ?? 0), "frame"))
        pieces.append(sounds == 0 ? "no sound" : Wording.count(Int64(sounds), "sound track"))
        pieces.append(Wording.size(byteCount))
        if fragmentsGivenUp > 0 {
            pieces.append("the last \(Wording.seconds(nanosecondsGivenUp)) did not fit on the medium")
        }
        return "\(path): \(pieces.joined(separator: ", "))"
    }
}
