import Linux
import Media

/// Turns frames into H.264. Used by one thread, the pipeline thread; an encoder with a thread of its own hands over
/// inside. Frames come back in the order in which they went in, packets in the order of their pictures (no B-frames).
public protocol VideoEncoder: AnyObject {
    /// What a person calls it: "x264 superfast".
    var name: String { get }

    /// Readable when `nextPacket` or `nextReleasedFrame` may have something.
    var descriptor: Int32 { get }

    /// Frames that `submit` would take now.
    var room: Int { get }

    /// Whether it is at work on a picture, so that something comes out without another one; false where that cannot be told.
    var isWorking: Bool { get }

    /// True once `drain` was called and the last packet was taken.
    var isDrained: Bool { get }

    /// Hands a frame over; it comes back by `nextReleasedFrame`.
    /// - Parameters:
    ///   - frame: in the format that the encoder was made for, its time later than the last one's.
    ///   - forcingKeyFrame: true when the picture must become an IDR picture.
    /// - Returns: false when there is no room; the frame was not taken then.
    /// - Throws: `Failure` of kind encoderFailed.
    func submit(_ frame: VideoFrame, forcingKeyFrame: Bool) throws(Failure) -> Bool

    /// The next packet, without waiting.
    /// - Throws: `Failure` of kind encoderFailed.
    func nextPacket() throws(Failure) -> EncodedPacket?

    /// Gives a packet back to be used again.
    func recycle(_ packet: EncodedPacket)

    /// A frame whose picture is no longer needed, without waiting.
    func nextReleasedFrame() -> VideoFrame?

    /// Something that a person should know, once, such as a change of effort; nil when there is nothing.
    func nextNotice() -> EncoderNotice?

    /// Says that no frame follows: what is still inside comes out.
    func drain() throws(Failure)
}
