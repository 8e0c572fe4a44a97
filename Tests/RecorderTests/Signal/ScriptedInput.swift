import Capture
import Linux
import Media
import V4L2

/// A device whose signal comes and goes as a script says: test pictures stand for what comes in, and for slates.
final class ScriptedInput: DeviceVideoSource {
    enum Step: Sendable {
        /// So many pictures come in.
        case pictures(Int)
        /// For so many periods none does.
        case loss(SignalState, Int)
        /// Pictures of another size come in from here on.
        case size(Int, Int)
        /// What comes in from here on cannot be recorded.
        case misfit
    }

    let name = "scripted input"
    let path = "/dev/scripted"
    let pace = Pace.live
    let lostFrames: UInt64 = 0
    let isReadableByDevices = true
    /// As of a screen: where nothing has changed no picture comes.
    let givesOnlyChanges: Bool
    private(set) var signal = SignalState.locked(nil)
    private(set) var isFinished = false
    private(set) var prepared: [FrameMemory] = []
    /// Whether there is a signal again that waits for frames.
    private(set) var awaitsFrames = false
    private let drawsSlate: Bool
    /// Whether a signal is back only once all frames are, as of a device that was unplugged.
    private let isUnplugged: Bool
    private var framesOut = 0
    private let event: EventDescriptor
    private var pattern: TestPattern
    private var script: [Step]
    private var left = 0
    private var changes: [SourceChange] = []
    private var newest = MonotonicTime(nanoseconds: 0)
    /// A picture that came while there was a change to be told first.
    private var held: VideoFrame?
    private var isReshaped = false
    private var isMisfit = false

    init(
        _ script: [Step], drawsSlate: Bool, isUnplugged: Bool = false, givesOnlyChanges: Bool = false
    ) throws(Failure) {
        do { event = try EventDescriptor() } catch { throw Failure(.internalFault, "no test", because: "\(error)") }
        pattern = try TestPattern(width: 320, height: 240, rate: .thirty)
        self.script = script
        (self.drawsSlate, self.isUnplugged, self.givesOnlyChanges) = (drawsSlate, isUnplugged, givesOnlyChanges)
        if case .pictures(let count) = script.first { left = count }
        if case .loss(let state, let count) = script.first { (left, signal) = (count, state) }
    }

    var format: VideoFormat { pattern.format }
    var descriptor: Int32 { pattern.descriptor }
    var signalDescriptor: Int32 { event.raw }

    func offers() -> [V4L2Format] { [V4L2Format(width: format.width, height: format.height, fourcc: 0x3231_564e)] }
    func trying(_ format: V4L2Format) -> V4L2Format? { format }
    func choose(_ format: V4L2Format) -> V4L2Format { format }
    func prepare(_ memory: FrameMemory) { prepared.append(memory) }

    func start() throws(Failure) {
        try pattern.start()
        if !signal.isLocked { tell(.lost(signal, at: .now)) }
    }

    func preparation(_ format: V4L2Format) -> String? { nil }
    func noteSilence(at now: MonotonicTime) {}
    func watchSignal() { event.clear() }
    func nextChange() -> SourceChange? { changes.isEmpty ? nil : changes.removeFirst() }

    func release(_ frame: VideoFrame) {
        framesOut -= 1
        pattern.release(frame)
    }

    func stop() {
        pattern.stop()
        isFinished = true
    }

    func nextFrame() throws(Failure) -> VideoFrame? {
        guard !isReshaped, let frame = try take() else { return nil }
        if left == 0 {
            awaitsFrames = isUnplugged && !signal.isLocked && framesOut > 0
            guard !awaitsFrames else {
                pattern.release(frame)
                return nil
            }
            // The change is told before what was captured behind it.
            if try goOn() { held = frame } else { pattern.release(frame) }
            return nil
        }
        left -= 1
        frame.isSlate = !signal.isLocked
        if signal.isLocked {
            newest = frame.time
        } else if !drawsSlate {
            pattern.release(frame)
            return nil
        }
        framesOut += 1
        return frame
    }

    private func take() throws(Failure) -> VideoFrame? {
        guard let frame = held else { return try pattern.nextFrame() }
        held = nil
        return frame
    }

    func adopt() throws(Failure) {
        guard !isMisfit else { throw Failure(.noSignal, "cannot record", because: "its pictures are interlaced") }
        guard case .size(let width, let height) = script.first else { return }
        pattern = try TestPattern(width: width, height: height, rate: .thirty)
        isReshaped = false
        try goOn()
    }

    /// Begins the next step.
    /// - Returns: false when no picture follows yet.
    @discardableResult
    private func goOn() throws(Failure) -> Bool {
        if !script.isEmpty { script.removeFirst() }
        switch script.first {
        case nil:
            isFinished = true
            return false
        case .pictures(let count):
            left = count
            if !signal.isLocked { tell(.returned(at: .now)) }
            signal = .locked(nil)
        case .loss(let state, let count):
            left = count
            signal = state
            tell(.lost(state, at: newest))
        case .size, .misfit:
            if case .misfit = script.first { isMisfit = true }
            isReshaped = true
            signal = .locked(nil)
            tell(.reshaped(at: newest))
            return false
        }
        return true
    }

    private func tell(_ change: SourceChange) {
        changes.append(change)
        event.signal()
    }
}
