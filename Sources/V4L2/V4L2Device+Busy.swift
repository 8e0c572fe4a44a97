import CKernel
import Glibc
import Linux

extension V4L2Device {
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
