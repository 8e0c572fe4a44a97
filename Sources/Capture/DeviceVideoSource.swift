import Linux
import Media
import V4L2

/// A source that is a device: its layout of samples and the memory of its frames are chosen to fit the encoder, and its
/// signal can go away and come back.
///
/// The order is: `offers`, `choose`, `prepare`, `start`; then frames. After `SourceChange.reshaped`, when all frames are
/// back: `adopt`, and all of it again from `offers` on. `start` may wait for the signal to hold still, and find that it is
/// another one than was set up: then `reshaped` is told before any frame.
public protocol DeviceVideoSource: VideoSource {
    /// Where it is: "/dev/video0".
    var path: String { get }

    /// What comes in now, as it was last read.
    var signal: SignalState { get }

    /// The layouts that it can give at its present size, best first, with lengths of lines and sizes as its driver would
    /// set them (VIDIOC_TRY_FMT) when no other lengths are asked for.
    /// - Throws: `Failure` of kind noSource or noSignal.
    func offers() throws(Failure) -> [V4L2Format]

    /// What the driver would make of a format with other lengths of lines or piece sizes; nil when it refuses.
    func trying(_ format: V4L2Format) -> V4L2Format?

    /// Whether another device's hardware can read its own buffers: false for memory that is scattered (UVC).
    var isReadableByDevices: Bool { get }

    /// What the processor has to do with each picture of the present kind until it lies as in one of the `offers`, for people:
    /// "the processor puts 3 planes together"; nil where it does nothing, as in most sources.
    func preparation(_ format: V4L2Format) -> String?

    /// Sets the format; `format` (of the protocol `VideoSource`) tells of it afterwards.
    /// - Returns: what the driver made of it.
    func choose(_ format: V4L2Format) throws(Failure) -> V4L2Format

    /// Makes the buffers and frames. May be called again while running, when no frame is out: what goes on then comes in
    /// the new memory (from an encoder that failed to the software encoder).
    /// - Throws: `Failure` of kind noSource when the device or the kernel cannot share or map the memory so.
    func prepare(_ memory: FrameMemory) throws(Failure)

    /// A second descriptor to wait for, readable (level-triggered) when the signal has to be looked at. When it and
    /// `descriptor` are ready at once, the signal is looked at first: so no frame is taken that was captured after the
    /// signal went, and a frame costs no request of its own for that. `nextFrame` is called once each time that
    /// `descriptor` is ready, not until it gives nothing.
    var signalDescriptor: Int32 { get }

    /// Looks at the signal. Called when `signalDescriptor` is readable.
    func watchSignal()

    /// What happened since the last call; nil when nothing did. Asked until it gives nil after each `watchSignal`, and
    /// after each `nextFrame` that gave nothing (the device may just have been unplugged).
    func nextChange() -> SourceChange?

    /// Told again and again while a source that `givesOnlyChanges` has a signal and gives no picture for longer than it should.
    /// - Parameter now: the present moment.
    func noteSilence(at now: MonotonicTime)

    /// Whether there is a signal again that can only be taken once all frames are back, a picture that is held among them:
    /// a device that was unplugged and has new buffers.
    var awaitsFrames: Bool { get }

    /// After `reshaped`: takes the new shape over. All frames must be back; they are not used again.
    func adopt() throws(Failure)
}

extension DeviceVideoSource {
    public var awaitsFrames: Bool { false }
}
