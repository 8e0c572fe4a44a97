import CKernel
import Glibc
import Linux

extension V4L2Node {
    /// The EDID that an input shows to its source (VIDIOC_G_EDID); empty when it shows none.
    /// - Parameter pad: of a sub-device its pad; of a video device the number of the input.
    /// - Throws: `Errno`: ENOTTY or EINVAL for a node that has none to show.
    public func edid(pad: UInt32 = 0) throws(Errno) -> [UInt8] {
        var question = v4l2_edid()
        question.pad = pad
        do {
            // No blocks asked for means: how many are there?
            try request(CKERNEL_VIDIOC_G_EDID, &question)
        } catch {
            if error.code == ENODATA { return [] }
            throw error
        }
        var bytes = [UInt8](repeating: 0, count: Int(question.blocks) * EDID.blockSize)
        guard !bytes.isEmpty else { return [] }
        let failure: Errno? = bytes.withUnsafeMutableBufferPointer { buffer in
            question.edid = buffer.baseAddress
            do throws(Errno) {
                try request(CKERNEL_VIDIOC_G_EDID, &question)
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw failure }
        return Array(bytes.prefix(Int(question.blocks) * EDID.blockSize))
    }

    /// Shows an EDID to the source (VIDIOC_S_EDID): the input takes its hot-plug line away for a moment, and the source
    /// reads anew what it may send.
    /// - Parameter pad: of a sub-device its pad; of a video device the number of the input.
    /// - Throws: `Errno`: E2BIG when it has more blocks than the device has room for, EBUSY while there are buffers.
    public func set(_ edid: EDID, pad: UInt32 = 0) throws(Errno) {
        var demand = v4l2_edid()
        (demand.pad, demand.blocks) = (pad, UInt32(edid.blockCount))
        var bytes = edid.bytes
        let failure: Errno? = bytes.withUnsafeMutableBufferPointer { buffer in
            demand.edid = buffer.baseAddress
            do throws(Errno) {
                try request(CKERNEL_VIDIOC_S_EDID, &demand)
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw failure }
    }
}
