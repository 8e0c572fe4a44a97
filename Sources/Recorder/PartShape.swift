import MP4
import Media

/// What the pictures of a part are, and what follows from it for the parts.
struct PartShape {
    /// Of the pictures.
    var format: VideoFormat
    /// When parts begin.
    var schedule: SplitSchedule
    /// The most bytes a second that the encoders together give for long.
    var byteRate: Int64

    /// - Parameters:
    ///   - format: of the pictures.
    ///   - bitrate: of the picture, in bits a second.
    ///   - limits: of the parts.
    ///   - sound: the sound tracks.
    init(_ format: VideoFormat, bitrate: Int, limits: SplitLimits, sound: [AudioTrack]) {
        self.format = format
        let byteRate = (bitrate + sound.reduce(0) { $0 + $1.bitrate }) / 8
        self.byteRate = Int64(byteRate)
        schedule = SplitSchedule(
            limits: limits, sampleRate: sound.first?.format.rate, rate: format.rate, byteRate: byteRate)
    }

    /// Goes on with pictures of another shape.
    mutating func goOn(with other: PartShape) {
        format = other.format
        byteRate = other.byteRate
        schedule.goOn(with: other.schedule)
    }
}
