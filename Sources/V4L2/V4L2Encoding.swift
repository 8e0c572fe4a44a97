import CKernel
import Linux

extension V4L2Device {
    /// The queues of a device that takes pictures in and gives what it made of them ("memory to memory"); nil when it is none.
    /// Drivers older than the capability say that they both capture and put out.
    public var conversionTypes: (input: V4L2BufferType, output: V4L2BufferType)? {
        guard can(V4L2_CAP_STREAMING) else { return nil }
        if can(V4L2_CAP_VIDEO_M2M_MPLANE) || can(V4L2_CAP_VIDEO_CAPTURE_MPLANE) && can(V4L2_CAP_VIDEO_OUTPUT_MPLANE) {
            return (.outputMultiplanar, .captureMultiplanar)
        }
        let isPair = can(V4L2_CAP_VIDEO_M2M) || can(V4L2_CAP_VIDEO_CAPTURE) && can(V4L2_CAP_VIDEO_OUTPUT)
        return isPair ? (.output, .capture) : nil
    }

    /// Says that no picture follows (VIDIOC_ENCODER_CMD, V4L2_ENC_CMD_STOP): what is inside comes out, then a last buffer.
    /// - Throws: the driver's `Errno`; ENOTTY where it has no such command.
    public func stopEncoder() throws(Errno) {
        var command = v4l2_encoder_cmd()
        command.cmd = UInt32(V4L2_ENC_CMD_STOP)
        try request(CKERNEL_VIDIOC_ENCODER_CMD, &command)
    }

    /// Sets the part of the raw pictures that an encoder codes (VIDIOC_S_SELECTION, V4L2_SEL_TGT_CROP): from the first line's
    /// first pixel on.
    /// - Returns: the size that the driver made of it.
    /// - Throws: the driver's `Errno`.
    public func crop(to size: V4L2Sizes.Size) throws(Errno) -> V4L2Sizes.Size {
        var selection = v4l2_selection()
        // The interface with several planes uses this type as well ("Selection API").
        selection.type = V4L2BufferType.output.rawValue
        selection.target = UInt32(V4L2_SEL_TGT_CROP)
        selection.r = v4l2_rect(left: 0, top: 0, width: UInt32(size.width), height: UInt32(size.height))
        try request(CKERNEL_VIDIOC_S_SELECTION, &selection)
        return V4L2Sizes.Size(Int(selection.r.width), Int(selection.r.height))
    }

    /// The values that a control with a menu takes (VIDIOC_QUERYMENU): drivers leave some out.
    public func menu(of control: V4L2Control) -> [Int32] {
        guard control.largest - control.smallest < 256 else { return [] }
        return (control.smallest...max(control.largest, control.smallest)).filter { value in
            var item = v4l2_querymenu()
            (item.id, item.index) = (control.identifier, UInt32(bitPattern: value))
            return (try? request(CKERNEL_VIDIOC_QUERYMENU, &item)) != nil
        }
    }
}
