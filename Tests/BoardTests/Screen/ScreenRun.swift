import Capture
import Glibc
import KMS
import Linux
import Media
import Pixels
import V4L2

@testable import Capture

/// Takes a screen's pictures as the pipeline does, and keeps the last few for as long as an encoder would.
final class ScreenRun {
    let display: SteppedScreen
    let screen: Screen
    /// Frames that are kept: an encoder has so many at once.
    let depth: Int
    private(set) var times: [MonotonicTime] = []
    private(set) var slates = 0
    private(set) var changes: [SourceChange] = []
    /// The dma-buf of each picture that was one.
    private(set) var inodes: [UInt64] = []
    private(set) var indices: [Int] = []
    private(set) var last: VideoFrame?
    /// Whether a number was given out that was out already.
    private(set) var hasDoubled = false
    private var held: [VideoFrame] = []
    private let epoll: Epoll

    init(
        _ display: SteppedScreen, _ memory: FrameMemory = .device, rate: FrameRate? = nil, bytesPerLine: Int? = nil,
        turn: Turn? = nil, drawsSlate: Bool = true, depth: Int = 0
    ) throws {
        (self.display, self.depth) = (display, depth)
        epoll = try Epoll()
        display.blankOnceOrdered = true
        screen = try Screen(
            reading: "Told-1",
            reader: { () throws(Failure) -> any ScreenReader in
                if let failure = display.failure { throw failure }
                return display
            }, rate: rate, turn: turn, drawsSlate: drawsSlate)
        display.blankOnceOrdered = false
        try setUp(memory, bytesPerLine: bytesPerLine)
        try epoll.add(screen.descriptor, for: .readable, token: 0)
        try epoll.add(screen.signalDescriptor, for: .readable, token: 1)
    }

    /// Chooses, prepares and starts, as an encoder ladder does.
    func setUp(_ memory: FrameMemory = .device, bytesPerLine: Int? = nil) throws {
        var format = try screen.offers()[0]
        if let bytesPerLine {
            format.planes[0] = V4L2Format.Plane(bytesPerLine: bytesPerLine, byteCount: bytesPerLine * format.height)
        }
        _ = try screen.choose(format)
        try screen.prepare(memory)
        try screen.start()
        display.catchUp()
    }

    var losses: [SignalState] {
        changes.compactMap { change in
            guard case .lost(let state, _) = change else { return nil }
            return state
        }
    }

    var returns: Int { changes.filter { if case .returned = $0 { true } else { false } }.count }
    var reshapes: Int { changes.filter { if case .reshaped = $0 { true } else { false } }.count }

    /// One turn of the pipeline.
    func turn(milliseconds: Int32 = 0) throws {
        var ready: UInt64 = 0
        try epoll.wait(milliseconds: milliseconds) { token, _ in ready |= 1 << token }
        if ready & 2 != 0 {
            screen.watchSignal()
            takeChanges()
        }
        guard ready & 1 != 0 else { return }
        guard let frame = try screen.nextFrame() else { return takeChanges() }
        if held.contains(where: { $0.index == frame.index }) { hasDoubled = true }
        last = frame
        if frame.isSlate {
            slates += 1
        } else {
            times.append(frame.time)
            indices.append(frame.index)
            if let buffer = frame.buffers.first { inodes.append(try ScreenPiece.inode(of: buffer.descriptor)) }
        }
        held.append(frame)
        while held.count > depth { screen.release(held.removeFirst()) }
    }

    /// Blanks, each with its turn.
    /// - Parameter before: is called before each of them.
    func run(blanks count: Int, _ before: (Int) throws -> Void = { _ in }) throws {
        for number in 0..<count {
            try before(number)
            display.blank()
            try turn()
        }
    }

    /// Goes on, with blanks in between, until a condition holds.
    /// - Returns: false when that took longer than ten seconds.
    func go(until isEnough: () -> Bool) throws -> Bool {
        let end = MonotonicTime.now + 10_000_000_000
        while !isEnough() {
            guard MonotonicTime.now < end else { return false }
            display.blank()
            try turn(milliseconds: 16)
        }
        return true
    }

    /// Goes on for a while.
    func go(milliseconds: Int64) throws {
        let end = MonotonicTime.now + milliseconds * 1_000_000
        _ = try go(until: { MonotonicTime.now >= end })
    }

    func releaseAll() {
        for frame in held { screen.release(frame) }
        held.removeAll()
    }

    private func takeChanges() {
        while let change = screen.nextChange() { changes.append(change) }
    }
}
