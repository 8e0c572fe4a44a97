import CKernel
import Glibc
import KMS
import Linux
import Media
import V4L2

@testable import Capture

/// A framebuffer in memory that devices share (udmabuf), as a compositor would have drawn it.
final class ToldFramebuffer {
    let width: Int
    let height: Int
    let bytesPerLine: Int
    let buffer: SharedBuffer
    let inode: UInt64
    private let map: SharedMap

    init(_ width: Int, _ height: Int, bytesPerLine: Int? = nil, number: Int = 0) throws {
        (self.width, self.height, self.bytesPerLine) = (width, height, bytesPerLine ?? 4 * width)
        buffer = try DeviceMemory.make(self.bytesPerLine * height)
        inode = try ScreenPiece.inode(of: buffer.descriptor)
        map = try SharedMap(buffer)
        draw(number)
    }

    deinit { close(buffer.descriptor) }

    /// Draws picture `number`: no two pixels of a line, and no two pictures, are alike.
    func draw(_ number: Int) {
        for y in 0..<height {
            for x in 0..<width { put(UInt32(truncatingIfNeeded: x &* 65537 ^ y &* 257 ^ number &* 0x2F1B3D), x, y) }
        }
    }

    /// Draws a pixel, X, R, G, B from the highest byte on.
    func put(_ pixel: UInt32, _ x: Int, _ y: Int) {
        map.bytes.storeBytes(of: pixel, toByteOffset: y * bytesPerLine + 4 * x, as: UInt32.self)
    }

    /// All of its memory.
    var bytes: UnsafeMutableRawBufferPointer { map.bytes }

    /// The bytes of its picture, line after line.
    func picture(_ width: Int, _ height: Int) -> [UInt8] {
        (0..<height).flatMap { Array(map.bytes[$0 * bytesPerLine..<$0 * bytesPerLine + 4 * width]) }
    }

    /// A plane that shows all of it.
    func plane(kind: ScreenPlane.Kind = .primary) -> ScreenPlane {
        var plane = ScreenPlane()
        (plane.id, plane.kind, plane.framebuffer) = (31, kind, UInt32(truncatingIfNeeded: inode))
        (plane.width, plane.height, plane.fourcc) = (width, height, ScreenPlane.xrgb8888)
        plane.pieces.append(ScreenPlane.Piece(buffer: 0, offset: 0, bytesPerLine: bytesPerLine))
        (plane.sourceWidth, plane.sourceHeight) = (UInt32(width) << 16, UInt32(height) << 16)
        (plane.targetWidth, plane.targetHeight) = (width, height)
        return plane
    }
}

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
    private(set) var time = MonotonicTime.now
    let refresh: FrameRate
    /// Whether a blank comes as soon as somebody waits for one.
    var blankOnceOrdered = false
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
                connector: "Told-1", width: width, height: height, refresh: refresh ?? self.refresh, hasBlanks: true))
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
        guard order != nil else { return }
        isAnswered = true
        event.signal()
    }
}
