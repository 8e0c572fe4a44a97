import Linux
import Media
import V4L2

/// A look at a capture device: what it would give to a recording. A recording that runs is not disturbed; an input that
/// nobody uses is set to the timings of what comes in, as each recording does first, since its driver tells of no other
/// pictures. Used by one thread.
public final class CaptureProbe {
    /// What comes in now.
    public let signal: SignalState
    private let node: CaptureNode
    private let wish: CaptureNode.Wish

    /// - Parameters:
    ///   - path: "/dev/video0".
    ///   - layout: pictures in this one only; nil for any.
    /// - Throws: `Failure` of kind noSource or noSignal that says why nothing can be recorded from it.
    public init(opening path: String, layout: PixelFormat? = nil) throws(Failure) {
        node = try CaptureNode(opening: path)
        wish = CaptureNode.Wish(size: nil, rate: nil, layout: layout)
        let reading = node.receiver.read()
        signal = reading.state
        if let failure = signal.failure(of: node.device.name) { throw failure }
        if !node.device.isBusy(node.type) { try node.use(reading) }
    }

    /// As `DeviceVideoSource.offers`.
    /// - Throws: `Failure` of kind noSource or noSignal.
    public func offers() throws(Failure) -> [V4L2Format] {
        try node.offers(wish, signal.shape)
    }

    /// As `DeviceVideoSource.trying`.
    public func trying(_ format: V4L2Format) -> V4L2Format? {
        node.trying(format)
    }

    /// As `DeviceVideoSource.isReadableByDevices`.
    public var isReadableByDevices: Bool { !node.hasScatteredMemory }
}
