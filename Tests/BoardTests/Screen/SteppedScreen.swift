import CKernel
import Glibc
import KMS
import Linux
import Media
import V4L2

@testable import Capture

/// A screen that shows what it is told, with vertical blanks that come when they are told to.
final class SteppedScreen: ScreenReader {
    private let event: EventDescriptor
    private(set) var orders: [ScreenOrder] = []
    /// Views that were taken.
    private(set) var answers = 0
    private var order: ScreenOrder?
    private var isAnswered = false
    private var state: ScreenState = .absent
    private var planes: [ScreenPlane] = []
    private var buffers: [SharedBuffer] = []
    /// What is shown stays open for as long as it is.
    private var shown: ToldFramebuffer?
    private var signature: UInt64 = 1
    private var sequence: UInt64 = 1000
    /// The connector that is lit.
    var connector = "Told-1"
    private(set) var time = MonotonicTime.now
    let refresh: FrameRate
    /// Whether a blank comes as soon as somebody waits for one.
    var blankOnceOrdered = false
    /// Whether it answers nothing, as a program that hangs.
    var isHung = false
    /// Why it is gone; nil while it is there.
    private(set) var failure: Failure?

    init(_ refresh: FrameRate = FrameRate(60) ?? .thirty) throws {
        event = try EventDescriptor()
        self.refresh = refresh
    }

    var descriptor: Int32 { event.raw }

    func show(_ framebuffer: ToldFramebuffer, refresh: FrameRate? = nil) {
        shown = framebuffer
        show([framebuffer.plane()], [framebuffer.buffer], framebuffer.width, framebuffer.height, refresh)
    }

    /// Shows planes from the next blank on.
    func show(
        _ planes: [ScreenPlane], _ buffers: [SharedBuffer], _ width: Int, _ height: Int, _ refresh: FrameRate? = nil
    ) {
        state = .lit(
            ScreenMode(
                connector: connector, width: width, height: height, refresh: refresh ?? self.refresh, hasBlanks: true))
        (self.planes, self.buffers) = (planes, buffers)
        signature += 1
    }

    /// Shows nothing any more.
    func turn(_ state: ScreenState) {
        (self.state, planes, buffers) = (state, [], [])
        signature += 1
        answer()
    }

    /// The next vertical blank, or a later one.
    func blank(_ count: UInt64 = 1) {
        sequence += count
        time = time + refresh.nanoseconds(of: Int64(count))
        guard let order, sequence >= order.sequence else { return }
        answer()
    }

    /// Counts blanks anew, as another CRTC does: a blank that was ordered by the old count is the next one.
    func count(from sequence: UInt64) {
        self.sequence = sequence
        order?.sequence = 0
    }

    /// How many blanks lie between two moments; nil where one of them is no blank's.
    func blanks(from first: MonotonicTime, to last: MonotonicTime) -> Int64? {
        let count = refresh.periods(in: last - first)
        return (count...count + 1).first { abs(refresh.nanoseconds(of: $0) - (last - first)) <= 1 }
    }

    /// From now on blanks are not told with times that have passed.
    func catchUp() {
        time = max(time, .now)
    }

    /// Breaks, or is mended.
    func fail(_ failure: Failure?) {
        self.failure = failure
        order = nil
        if failure != nil { event.signal() } else { event.clear() }
    }

    func order(_ order: ScreenOrder) throws(Failure) {
        if let failure { throw failure }
        orders.append(order)
        (self.order, isAnswered) = (order, false)
        event.clear()
        if case .lit = state {
            if blankOnceOrdered { blank() }
            return
        }
        answer()
    }

    func next(_ view: ScreenView) throws(Failure) -> Bool {
        if let failure { throw failure }
        view.clear()
        guard isAnswered, let order else { return false }
        isAnswered = false
        answers += 1
        event.clear()
        (view.state, view.sequence, view.time, view.signature) = (state, sequence, time, signature)
        guard case .lit = state else { return true }
        self.order = nil
        view.planes += planes
        view.isKnown = order.known == signature
        guard !view.isKnown else { return true }
        for buffer in buffers {
            view.own(SharedBuffer(descriptor: ckernel_duplicate(buffer.descriptor), byteCount: buffer.byteCount))
        }
        return true
    }

    private func answer() {
        guard order != nil, !isHung else { return }
        isAnswered = true
        event.signal()
    }
}
