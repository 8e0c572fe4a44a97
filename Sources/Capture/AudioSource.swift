import Linux
import Media

/// Where sound comes from. A source is used by one thread, the pipeline thread.
public protocol AudioSource: AnyObject {
    /// What a person calls it: "test tone", "USB Audio (hw:CARD=Device)".
    var name: String { get }

    /// Rate and channels of all samples.
    var format: AudioFormat { get }

    /// Descriptors that become ready (readable) when there is something to read; empty for a source that is read along
    /// with the pictures.
    var descriptors: [Int32] { get }

    /// Samples of silence that stand for sound which was lost (overruns).
    var silenceInserted: Int64 { get }

    /// Begins to capture.
    /// - Parameter origin: the moment that synthetic sound counts its time from; ignored by devices.
    /// - Throws: `Failure` of kind noSource.
    func start(origin: MonotonicTime) throws(Failure)

    /// Reads what is there, without waiting.
    /// - Parameters:
    ///   - buffer: room for interleaved samples; a multiple of the channels.
    ///   - limit: synthetic sound gives samples before this moment and no later; ignored by devices.
    /// - Returns: the span that was read, or nil when there is nothing. Spans follow one another without a gap: what a
    ///   device lost comes as silence.
    /// - Throws: `Failure` when the device is broken or gone.
    func read(into buffer: UnsafeMutableBufferPointer<Int16>, before limit: MonotonicTime) throws(Failure) -> AudioSpan?

    /// Ends capturing.
    func stop()
}

/// A run of samples that was read.
public struct AudioSpan: Sendable {
    /// When the first sample was captured, by the source's own reckoning; where a source has no clock of its own it
    /// follows from the count.
    public var time: MonotonicTime
    /// Samples for each channel.
    public var frames: Int

    public init(time: MonotonicTime, frames: Int) {
        self.time = time
        self.frames = frames
    }
}
