import CKernel
import Glibc
import Linux

/// A sub-device that is open: the chip behind a video node ("Sub-device Interface" in the kernel's documentation). Used by
/// one thread.
public final class V4L2Subdevice: V4L2Node {
    private let descriptor: FileDescriptor

    /// - Parameter path: "/dev/v4l-subdev0".
    /// - Throws: the kernel's `Errno`.
    public init(opening path: String) throws(Errno) {
        descriptor = try FileDescriptor.open(path, O_RDWR | O_NONBLOCK)
    }

    public var raw: Int32 { descriptor.raw }

    public func request<Argument>(_ number: UInt, _ argument: inout Argument) throws(Errno) {
        let raw = descriptor.raw
        let status = withUnsafeMutableBytes(of: &argument) { ckernel_ioctl(raw, number, $0.baseAddress) }
        if status < 0 { throw Errno.last }
    }
}
