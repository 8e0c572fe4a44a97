import Linux
import Media

/// Where pictures come from. A source is used by one thread, the pipeline thread, except where a member says otherwise.
public protocol VideoSource: AnyObject {
    /// What a person calls it: "test picture", "HDMI to USB (usb-0000:00:14.0-3)".
    var name: String { get }

    /// The shape of all frames; it does not change while the source is running.
    var format: VideoFormat { get }

    /// Whether the source waits for its reader.
    var pace: Pace { get }

    /// Whether a picture comes only when something in it has changed, and once a second, as of a screen. Each one stands
    /// until the next, or until the recording ends. Such a source keeps to the rate that is wanted by itself: nobody else
    /// leaves pictures of it out.
    var givesOnlyChanges: Bool { get }

    /// A descriptor that is readable when `nextFrame` may have something; it is watched level-triggered.
    var descriptor: Int32 { get }

    /// Pictures that the source made but that never came out of `nextFrame`: gaps in the driver's numbers, broken frames,
    /// frames for which no buffer was free.
    var lostFrames: UInt64 { get }

    /// Pictures that were given out although whoever draws them had not said in time that they were done.
    var unfencedFrames: UInt64 { get }

    /// Pictures in which something was scaled by taking the nearest pixel, which is coarser than what a display does.
    var nearestFrames: UInt64 { get }

    /// True once the source has given its last frame: because it has an end, or because it was stopped and nothing is left
    /// that was captured before.
    var isFinished: Bool { get }

    /// Begins to capture; once in a source's life, a device's also after `DeviceVideoSource.adopt`.
    /// - Throws: `Failure` of kind noSource or noSignal.
    func start() throws(Failure)

    /// The next frame, without waiting; nil when none is ready. The frame belongs to the caller until `release`.
    /// - Throws: `Failure` when the source is broken or gone.
    func nextFrame() throws(Failure) -> VideoFrame?

    /// Wants a picture at once, whether or not anything changes in it: a recording begins, a part is due, a still is to be
    /// taken, or the encoder gives the last one only when another comes. It is asked for again until one has come that
    /// serves. Of a source that gives a picture for each of its periods there is nothing to be wanted.
    func requestPicture()

    /// Gives a frame back, to be filled again. Where a recording holds its last picture while there is no signal, the frame
    /// stays out as long.
    func release(_ frame: VideoFrame)

    /// Ends capturing. Frames that are out stay valid until they are released; frames that were captured before this
    /// moment still come from `nextFrame`, until `isFinished`.
    func stop()
}

extension VideoSource {
    public var givesOnlyChanges: Bool { false }
    public var unfencedFrames: UInt64 { 0 }
    public var nearestFrames: UInt64 { 0 }
    public func requestPicture() {}
}

/// Whether a source waits.
public enum Pace: Sendable {
    /// The world goes on: who is late loses frames.
    case live
    /// The source waits until its frames are taken: a pipe.
    case onDemand
}
