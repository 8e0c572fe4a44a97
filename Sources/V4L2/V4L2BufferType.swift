import CKernel

/// The four kinds of buffer queue (V4L2_BUF_TYPE_VIDEO_…): pictures out of or into a device, in the older interface with
/// one piece of memory a picture or in the one with several.
public enum V4L2BufferType: UInt32, Sendable {
    case capture = 1
    case output = 2
    case captureMultiplanar = 9
    case outputMultiplanar = 10

    /// Whether descriptions of buffers have a list of planes.
    public var isMultiplanar: Bool { self == .captureMultiplanar || self == .outputMultiplanar }

    /// Whether pictures go into the device.
    public var isIntoDevice: Bool { self == .output || self == .outputMultiplanar }
}
