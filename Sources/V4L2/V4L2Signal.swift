import CKernel
import Glibc
import Linux

/// Whether something comes in at a device's present input.
public enum V4L2Signal: Hashable, Sendable {
    /// Pictures come, as far as the device can tell.
    case present
    /// Nothing comes in: no cable, no power at the other end, nothing to lock onto.
    case absent
    /// Something comes in that the device cannot lock onto.
    case unstable
}

extension V4L2Device {
    /// Looks at the present input (VIDIOC_ENUMINPUT), and at HDMI and its like for a signal (VIDIOC_QUERY_DV_TIMINGS).
    public var signal: V4L2Signal {
        var number: Int32 = 0
        guard (try? request(CKERNEL_VIDIOC_G_INPUT, &number)) != nil else { return .present }
        var input = v4l2_input()
        input.index = UInt32(bitPattern: number)
        guard (try? request(CKERNEL_VIDIOC_ENUMINPUT, &input)) != nil else { return .present }
        if input.status & UInt32(V4L2_IN_ST_NO_POWER | V4L2_IN_ST_NO_SIGNAL) != 0 { return .absent }
        if input.status & UInt32(V4L2_IN_ST_NO_H_LOCK | V4L2_IN_ST_NO_SYNC) != 0 { return .unstable }
        guard input.capabilities & UInt32(V4L2_IN_CAP_DV_TIMINGS) != 0 else { return .present }
        do {
            _ = try timings()
        } catch {
            switch error.code {
            case ENOLINK: return .absent
            case ENOLCK, ERANGE: return .unstable
            default: break
            }
        }
        return .present
    }

    /// The size of the pictures that come in by HDMI or its like, width × height in pixels; nil for other inputs and where
    /// nothing comes in.
    public var signalSize: V4L2Sizes.Size? {
        guard let timings = try? timings(), timings.type == UInt32(V4L2_DV_BT_656_1120) else { return nil }
        return V4L2Sizes.Size(Int(timings.bt.width), Int(timings.bt.height))
    }

    /// What comes in now (VIDIOC_QUERY_DV_TIMINGS): ENOLINK without a cable, ENOLCK without a lock, ERANGE outside what the
    /// device can, ENOTTY or ENODATA for inputs without timings.
    private func timings() throws(Errno) -> v4l2_dv_timings {
        var timings = v4l2_dv_timings()
        try request(CKERNEL_VIDIOC_QUERY_DV_TIMINGS, &timings)
        return timings
    }

    /// Whether another program has the device's buffers: then nobody else can capture from it.
    public func isBusy(_ type: V4L2BufferType) -> Bool {
        var demand = v4l2_requestbuffers()
        (demand.count, demand.type, demand.memory) = (1, type.rawValue, V4L2_MEMORY_MMAP.rawValue)
        do {
            try request(CKERNEL_VIDIOC_REQBUFS, &demand)
        } catch {
            return error.code == EBUSY
        }
        demand.count = 0
        try? request(CKERNEL_VIDIOC_REQBUFS, &demand)
        return false
    }
}
