import Glibc
import Linux
import Media

/// What a screen showed at one vertical blank: the answer to a `ScreenOrder`. It is made once and filled again and again,
/// and owns the descriptors of the memory until it is cleared. Used by one thread.
public final class ScreenView {
    /// What there is to be seen. Where it is not lit, there are neither planes nor buffers.
    public var state = ScreenState.absent
    /// The number of the vertical blank from which on it is shown.
    public var sequence: UInt64 = 0
    /// When that blank was (CLOCK_MONOTONIC), as the kernel stamped it.
    public var time = MonotonicTime(nanoseconds: 0)
    /// Stands for all that is shown, but not for what is drawn into the same memory: views with the same one show the same
    /// planes with the same memory. Never 0.
    public var signature: UInt64 = 0
    /// Whether the signature is the one that was known: then planes are told and `buffers` is empty.
    public var isKnown = false
    /// The planes that show something, the lowest first.
    public var planes: [ScreenPlane] = []
    /// Their memory (dma-bufs), each once.
    public private(set) var buffers: [SharedBuffer] = []

    /// Planes of one screen: more are refused by reader and client.
    public static let mostPlanes = 32
    /// Pieces of memory of one screen.
    public static let mostBuffers = 64

    public init() {
        planes.reserveCapacity(Self.mostPlanes)
        buffers.reserveCapacity(Self.mostBuffers)
    }

    deinit {
        for buffer in buffers where buffer.descriptor >= 0 { close(buffer.descriptor) }
    }

    /// Takes a piece of memory over, with its descriptor.
    public func own(_ buffer: SharedBuffer) {
        buffers.append(buffer)
    }

    /// Gives a descriptor to a new owner, who closes it.
    /// - Parameter index: its place among `buffers`.
    public func takeDescriptor(_ index: Int) -> Int32 {
        let descriptor = buffers[index].descriptor
        buffers[index] = SharedBuffer(descriptor: -1, byteCount: buffers[index].byteCount)
        return descriptor
    }

    /// Closes what is left of the memory and forgets the planes.
    public func clear() {
        for buffer in buffers where buffer.descriptor >= 0 { close(buffer.descriptor) }
        buffers.removeAll(keepingCapacity: true)
        planes.removeAll(keepingCapacity: true)
        (state, isKnown, signature) = (.absent, false, 0)
    }
}
