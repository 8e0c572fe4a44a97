import Glibc
import KMS
import Linux
import Media

/// A screen that shows what it is told, to be read like a real one: for what no driver of a virtual board can do.
///
/// Used by one thread, but for `wake`.
public final class ToldScreen: ScreenReader {
    /// What is seen.
    public struct Picture {
        public var state: ScreenState
        public var planes: [ScreenPlane] = []
        /// Whoever tells it keeps the descriptors; each view gets copies.
        public var buffers: [SharedBuffer] = []
        /// Equal for equal planes with equal memory.
        public var signature: UInt64 = 1

        public init(
            _ state: ScreenState, planes: [ScreenPlane] = [], buffers: [SharedBuffer] = [], signature: UInt64 = 1
        ) {
            (self.state, self.planes, self.buffers, self.signature) = (state, planes, buffers, signature)
        }
    }

    private let timer: TimerDescriptor
    private let event: EventDescriptor
    private let isPaced: Bool
    private let tell: (UInt64) throws(Failure) -> Picture
    private var order: ScreenOrder?
    private var sequence: UInt64 = 0
    /// The orders so far.
    public private(set) var orders = 0

    private static let second: Int64 = 1_000_000_000

    /// - Parameters:
    ///   - isPaced: whether each picture waits for its blank, of which there are 60 a second; without it a picture comes as
    ///     soon as it is ordered, with the time that it would have had, and that nothing is shown is told again by `wake`.
    ///   - tell: what is seen from a blank on. A failure comes out of `next`.
    public init(isPaced: Bool = false, _ tell: @escaping (UInt64) throws(Failure) -> Picture) throws {
        timer = try TimerDescriptor()
        event = try EventDescriptor()
        self.isPaced = isPaced
        self.tell = tell
    }

    /// When a blank is; numbers of more than 32 bits begin anew.
    public static func time(of sequence: UInt64) -> MonotonicTime {
        MonotonicTime(nanoseconds: Int64(sequence & 0xFFFF_FFFF) * second / 60)
    }

    public var descriptor: Int32 { isPaced ? timer.raw : event.raw }

    public func order(_ order: ScreenOrder) throws(Failure) {
        self.order = order
        orders += 1
        let newest = isPaced ? UInt64(MonotonicTime.now.nanoseconds * 60 / Self.second) : 0
        sequence = max(order.sequence, sequence &+ 1, newest + 1)
        if isPaced { arm(at: Self.time(of: sequence)) } else { event.signal() }
    }

    /// Lets what is told be looked at again now. From any thread.
    public func wake() {
        if isPaced { arm(at: MonotonicTime(nanoseconds: 1)) } else { event.signal() }
    }

    private func arm(at moment: MonotonicTime) {
        do throws(Errno) {
            try timer.arm(at: moment)
        } catch {
            // It fails for times that cannot be only.
        }
    }

    public func next(_ view: ScreenView) throws(Failure) -> Bool {
        view.clear()
        event.clear()
        guard !isPaced || timer.expirations() > 0, let order else { return false }
        let picture = try tell(sequence)
        (view.state, view.sequence, view.time) = (picture.state, sequence, Self.time(of: sequence))
        guard case .lit = picture.state else {
            if isPaced { arm(at: .now + Self.second) }
            return true
        }
        self.order = nil
        view.signature = picture.signature
        view.planes.append(contentsOf: picture.planes)
        view.isKnown = picture.signature == order.known
        for buffer in picture.buffers where !view.isKnown {
            view.own(SharedBuffer(descriptor: dup(buffer.descriptor), byteCount: buffer.byteCount))
        }
        return true
    }
}
