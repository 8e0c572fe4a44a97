import CKernel
import Glibc
import Linux

extension V4L2Device {
    /// Whether another program has the device's buffers: then nobody else can capture from it. Looking disturbs nobody,
    /// where the driver lets everybody ask for buffers (videobuf2); else the buffers are had for a moment.
    public func isBusy(_ type: V4L2BufferType) -> Bool {
        switch hasBuffers(type) {
        case true?: return true
        case false?: return false
        case nil: break
        }
        var demand = v4l2_requestbuffers()
        (demand.count, demand.type, demand.memory) = (1, type.rawValue, V4L2_MEMORY_MMAP.rawValue)
        do {
            try request(CKERNEL_VIDIOC_REQBUFS, &demand)
        } catch {
            return error.code == EBUSY
        }
        try? freeBuffers(type)
        return false
    }

    /// Gives a queue's buffers back (VIDIOC_REQBUFS with 0).
    /// - Parameter memory: whose memory they are.
    /// - Throws: the driver's `Errno`.
    public func freeBuffers(_ type: V4L2BufferType, _ memory: V4L2Memory = .mapped) throws(Errno) {
        var demand = v4l2_requestbuffers()
        (demand.type, demand.memory) = (type.rawValue, memory.code)
        try request(CKERNEL_VIDIOC_REQBUFS, &demand)
    }

    /// Whether there are buffers, whoever made them (VIDIOC_QUERYBUF); nil where the driver does not say.
    private func hasBuffers(_ type: V4L2BufferType) -> Bool? {
        // It gives an answer for buffers that there are not.
        if driver == "v4l2 loopback" { return nil }
        var planes = [v4l2_plane](repeating: v4l2_plane(), count: Int(VIDEO_MAX_PLANES))
        return planes.withUnsafeMutableBufferPointer { planes -> Bool? in
            var buffer = v4l2_buffer()
            buffer.type = type.rawValue
            if type.isMultiplanar {
                buffer.m.planes = planes.baseAddress
                buffer.length = UInt32(planes.count)
            }
            do throws(Errno) {
                try request(CKERNEL_VIDIOC_QUERYBUF, &buffer)
                return true
            } catch {
                return error.code == EINVAL ? false : nil
            }
        }
    }
}
