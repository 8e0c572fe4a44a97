import CKernel
import Linux

/// What a control can be set to (VIDIOC_QUERYCTRL).
public struct V4L2Control: Hashable, Sendable {
    /// V4L2_CID_….
    public let identifier: UInt32
    /// The driver's name for it: "Brightness".
    public let name: String
    public let smallest: Int32
    public let largest: Int32
    public let step: Int32
    public let usual: Int32
}

extension V4L2Node {
    /// A control, if the device has it and it is not disabled: no driver has all.
    /// - Parameter identifier: V4L2_CID_….
    public func control(_ identifier: UInt32) -> V4L2Control? {
        var query = v4l2_queryctrl()
        query.id = identifier
        guard (try? request(CKERNEL_VIDIOC_QUERYCTRL, &query)) != nil,
            query.flags & UInt32(V4L2_CTRL_FLAG_DISABLED) == 0
        else { return nil }
        return V4L2Control(
            identifier: identifier, name: V4L2Device.text(&query.name), smallest: query.minimum, largest: query.maximum,
            step: query.step, usual: query.default_value)
    }

    /// A control's value (VIDIOC_G_CTRL).
    public func value(_ identifier: UInt32) throws(Errno) -> Int32 {
        var control = v4l2_control(id: identifier, value: 0)
        try request(CKERNEL_VIDIOC_G_CTRL, &control)
        return control.value
    }

    /// Sets a control (VIDIOC_S_CTRL).
    public func set(_ identifier: UInt32, to value: Int32) throws(Errno) {
        var control = v4l2_control(id: identifier, value: value)
        try request(CKERNEL_VIDIOC_S_CTRL, &control)
    }
}
