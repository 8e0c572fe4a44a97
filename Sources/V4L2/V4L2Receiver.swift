import CKernel
import Glibc
import Linux
import Media

/// What tells of the signal at a device's present input. For an HDMI receiver or its like that is a node that knows the
/// timings of what comes in: the video device itself, or the sub-device behind it. Used by one thread.
public final class V4L2Receiver {
    /// What was read of the signal.
    public struct Reading: Sendable {
        /// What comes in. A signal that is there is locked; its shape is known where there are timings.
        public var state: SignalState
        /// To be set before what comes in can be captured; nil for inputs without timings.
        public var timings: V4L2Timings?
        /// False where the device could not be asked: while pictures come, they tell more.
        public var isCertain: Bool

        public init(state: SignalState, timings: V4L2Timings? = nil, isCertain: Bool = true) {
            self.state = state
            self.timings = timings
            self.isCertain = isCertain
        }
    }

    /// The node that knows timings and has the EDID; nil for a camera and the like.
    public let timingsNode: (any V4L2Node)?
    /// Whether the device tells by itself of each change of the signal.
    public let tellsOfChanges: Bool
    private let device: V4L2Device
    private let input: UInt32?
    private let knowsPower: Bool

    /// Looks for the node that knows timings, and asks it to tell of changes.
    /// - Parameters:
    ///   - device: is left as it is.
    ///   - subdevices: finds the sub-devices behind it, by their paths; called where the device itself knows no timings.
    public init(_ device: V4L2Device, subdevices: () -> [String]) {
        self.device = device
        var number: Int32 = 0
        let hasInput = (try? device.request(CKERNEL_VIDIOC_G_INPUT, &number)) != nil
        input = hasInput ? UInt32(bitPattern: number) : nil
        let node = Self.nodeWithTimings(device, subdevices)
        timingsNode = node
        let change = UInt32(V4L2_EVENT_SOURCE_CHANGE)
        tellsOfChanges = (try? (node ?? device).subscribe(change)) != nil
        knowsPower = node?.control(UInt32(V4L2_CID_DV_RX_POWER_PRESENT)) != nil
    }

    /// What the node that has the EDID calls the input: a video device its number, a sub-device its pad.
    public var edidPad: UInt32 { timingsNode is V4L2Device ? input ?? 0 : 0 }

    /// The descriptor that has priority readiness when `nextChange` has something.
    public var descriptor: Int32 { timingsNode?.raw ?? device.raw }

    /// When the signal changed, as the device told of it and the kernel stamped it; nil when it told of no more.
    /// - Throws: `Errno`, ENODEV when the device is gone.
    public func nextChange() throws(Errno) -> MonotonicTime? {
        guard tellsOfChanges else { return nil }
        let node = timingsNode ?? device
        while let event = try node.nextEvent() {
            if event.type == UInt32(V4L2_EVENT_SOURCE_CHANGE) { return event.time }
        }
        return nil
    }

    /// What comes in now.
    public func read() -> Reading {
        guard let timingsNode else { return Reading(state: inputState) }
        do {
            let timings = try timingsNode.incomingTimings()
            guard let shape = timings.shape else { return Reading(state: .noLock) }
            return Reading(state: .locked(shape), timings: timings)
        } catch {
            switch error.code {
            case ENODEV, ENXIO: return Reading(state: .unplugged)
            case ENOLINK: return Reading(state: hasPower ? .noSignal : .noCable)
            case ENOLCK: return Reading(state: .noLock)
            case ERANGE: return Reading(state: .outOfRange)
            default: return Reading(state: .noSignal, isCertain: false)
            }
        }
    }

    /// Sets the device to timings, unless it is set so already.
    /// - Throws: `Errno`, EBUSY while there are buffers.
    public func use(_ timings: V4L2Timings) throws(Errno) {
        guard let timingsNode else { return }
        if let present = try? timingsNode.timings(), present.isSame(as: timings) { return }
        try timingsNode.set(timings)
        // Some drivers tell of this as of a change of the signal.
        while try nextChange() != nil {}
    }

    /// Whether the source at the other end has power; false where the device cannot tell.
    private var hasPower: Bool {
        guard knowsPower, let timingsNode else { return false }
        let value = try? timingsNode.value(UInt32(V4L2_CID_DV_RX_POWER_PRESENT))
        return value ?? 0 != 0
    }

    /// Of an input without timings (VIDIOC_ENUMINPUT).
    private var inputState: SignalState {
        var description = v4l2_input()
        guard let input else { return .locked(nil) }
        description.index = input
        do {
            try device.request(CKERNEL_VIDIOC_ENUMINPUT, &description)
        } catch {
            return error.code == ENODEV ? .unplugged : .locked(nil)
        }
        if description.status & UInt32(V4L2_IN_ST_NO_POWER) != 0 { return .noCable }
        if description.status & UInt32(V4L2_IN_ST_NO_SIGNAL) != 0 { return .noSignal }
        let unlocked = UInt32(V4L2_IN_ST_NO_H_LOCK | V4L2_IN_ST_NO_SYNC)
        return description.status & unlocked != 0 ? .noLock : .locked(nil)
    }

    private static func nodeWithTimings(_ device: V4L2Device, _ subdevices: () -> [String]) -> (any V4L2Node)? {
        if hasTimings(device) { return device }
        for path in subdevices() {
            guard let subdevice = try? V4L2Subdevice(opening: path), hasTimings(subdevice) else { continue }
            return subdevice
        }
        return nil
    }

    private static func hasTimings(_ node: any V4L2Node) -> Bool {
        do {
            _ = try node.incomingTimings()
            return true
        } catch {
            return [ENOLINK, ENOLCK, ERANGE].contains(error.code)
        }
    }
}
