import Capture
import CKernel
import Glibc
import Linux
import Media
import V4L2

/// What came of a picture.
struct Taken {
    var time: MonotonicTime
    var sequence: UInt64
    var isSlate: Bool
}

/// Takes what an input gives, as the pipeline does: the signal is looked at first, and a picture is asked for once each
/// time that there may be one.
final class InputRun<Input: DeviceVideoSource> {
    let input: Input
    /// All pictures and slates, in the order in which they came.
    private(set) var taken: [Taken] = []
    /// All that happened, in the same order.
    private(set) var changes: [SourceChange] = []
    /// Pictures and slates that had come when each change was told.
    private(set) var takenBefore: [Int] = []
    private let epoll: Epoll

    init(_ input: Input) throws {
        self.input = input
        epoll = try Epoll()
        try epoll.add(input.descriptor, for: .readable, token: 0)
        try epoll.add(input.signalDescriptor, for: .readable, token: 1)
    }

    /// Pictures that are none of the slates.
    var pictures: [Taken] { taken.filter { !$0.isSlate } }
    var slates: [Taken] { taken.filter(\.isSlate) }

    /// The signal's states that were told as losses.
    var losses: [SignalState] {
        changes.compactMap { change -> SignalState? in
            guard case .lost(let state, _) = change else { return nil }
            return state
        }
    }

    var returns: Int { changes.filter { if case .returned = $0 { true } else { false } }.count }
    var reshapes: Int { changes.filter { if case .reshaped = $0 { true } else { false } }.count }

    /// Goes on until a condition holds.
    /// - Returns: false when that took longer than half a minute.
    func go(each body: (VideoFrame) throws -> Void = { _ in }, until isEnough: () -> Bool) throws -> Bool {
        let end = MonotonicTime.now + 30_000_000_000
        while !isEnough() {
            guard MonotonicTime.now < end else { return false }
            var ready: UInt64 = 0
            try epoll.wait(milliseconds: 500) { token, _ in ready |= 1 << token }
            if ready & 2 != 0 {
                input.watchSignal()
                takeChanges()
            }
            guard ready & 1 != 0 else { continue }
            guard let frame = try input.nextFrame() else {
                takeChanges()
                continue
            }
            taken.append(Taken(time: frame.time, sequence: frame.sequence, isSlate: frame.isSlate))
            try body(frame)
            input.release(frame)
        }
        return true
    }

    /// Goes on until so many more pictures have come.
    func take(_ count: Int) throws -> Bool {
        var left = count
        return try go(each: { if !$0.isSlate { left -= 1 } }, until: { left <= 0 })
    }

    /// What did not come later than what came before it, in time or by number.
    var disorder: [String] {
        zip(taken, taken.dropFirst()).filter { $0.time >= $1.time || $0.sequence >= $1.sequence }.map { "\($0) \($1)" }
    }

    private func takeChanges() {
        while let change = input.nextChange() {
            changes.append(change)
            takenBefore.append(taken.count)
        }
    }
}

/// The controls of the kernel's test driver by which it does what drivers do wrong (vivid-ctrls.c).
enum Vivid {
    private static let base: UInt32 = 0x00f0_f000
    static let wrapSequence = base + 38
    static let wrapTimestamp = base + 39
    static let signalMode = base + 62
    static let droppedPercentage = base + 64
    static let disconnect = base + 65
    static let damagedBuffer = base + 66
    static let reqbufsError = base + 67
    static let qbufError = base + 68
    static let streamonError = base + 69
    static let fatalError = base + 70

    /// What the input sees (`signalMode`).
    enum Signal: Int32 {
        case none = 1, noLock, outOfRange, selected
    }

    /// Sets a control, with the device open for no longer than that.
    static func set(_ control: UInt32, to value: Int32 = 1, on path: String) throws {
        try V4L2Device(opening: path).set(control, to: value)
    }

    static func set(_ signal: Signal, on path: String) throws {
        try set(signalMode, to: signal.rawValue, on: path)
    }
}
