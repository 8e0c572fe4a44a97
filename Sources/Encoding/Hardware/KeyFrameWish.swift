import Linux
import Media

/// When an encoder is told to make a key frame: when somebody wants one, when one is due by the pictures' own times, and
/// again when the one that was asked for did not come. What the encoder makes a key frame of is the picture that it codes
/// next, which may be an older one than the one that was meant.
struct KeyFrameWish {
    private var clock: KeyFrameClock
    /// The picture that is to become a key frame.
    private var asked: MonotonicTime?
    private var isOwed = false
    private var tries = 0
    /// Times that a wish is repeated.
    private static let mostTries = 3

    /// - Parameters:
    ///   - seconds: from one key frame to the next at most.
    ///   - rate: the nominal rate.
    init(seconds: Int, rate: FrameRate) {
        clock = KeyFrameClock(seconds: seconds, rate: rate)
    }

    /// Whether to tell the encoder before it is given a picture.
    mutating func isDue(at time: MonotonicTime, forced isForced: Bool) -> Bool {
        if isForced { tries = 0 }
        guard isForced || isOwed || clock.isDue(at: time) else { return false }
        clock.note(time)
        asked = time
        isOwed = false
        return true
    }

    /// Takes note of a picture that came out.
    mutating func note(_ time: MonotonicTime, isKeyFrame: Bool) {
        if isKeyFrame { clock.note(time) }
        guard let asked, time >= asked else { return }
        self.asked = nil
        isOwed = !isKeyFrame && tries < Self.mostTries
        tries = isKeyFrame ? 0 : tries + 1
    }

    /// A picture was lost, so that those behind it cannot be decoded before the next key frame.
    mutating func noteLoss() {
        guard asked == nil else { return }
        isOwed = true
        tries = 0
    }
}
