import CKernel
import Glibc
import Linux
import Media

/// An open Video4Linux device: a camera, a capture device, or an encoder. Used by one thread.
///
/// Names and numbers are those of the kernel's documentation, "Video for Linux API".
public final class V4L2Device {
    /// Where it was opened; the number in it may be another one after the next boot.
    public let path: String
    /// The driver's name: "uvcvideo".
    public let driver: String
    /// What the maker calls it: "HDMI to USB".
    public let card: String
    /// Where it is attached: "usb-0000:00:14.0-3". The same after each boot.
    public let bus: String
    /// What this very node can (V4L2_CAP_…, the `device_caps`).
    public let capabilities: UInt32
    private let descriptor: FileDescriptor

    /// Opens a device for reading and writing, without blocking.
    /// - Parameter path: "/dev/video0", or a link to it.
    /// - Throws: `Failure` of kind noSource that says why and what helps.
    public init(opening path: String) throws(Failure) {
        let descriptor: FileDescriptor
        var answer = v4l2_capability()
        do {
            descriptor = try FileDescriptor.open(path, O_RDWR | O_NONBLOCK)
        } catch {
            throw V4L2Failure.opening(path, error)
        }
        guard ckernel_ioctl(descriptor.raw, CKERNEL_VIDIOC_QUERYCAP, &answer) == 0 else {
            throw Failure(.noSource, "cannot use \(path)", because: "it is no video device")
        }
        self.path = path
        driver = Self.text(&answer.driver)
        card = Self.text(&answer.card)
        bus = Self.text(&answer.bus_info)
        // Drivers older than the field leave the flag and the field at 0.
        let hasOwn = answer.capabilities & UInt32(bitPattern: Int32(truncatingIfNeeded: V4L2_CAP_DEVICE_CAPS)) != 0
        capabilities = hasOwn ? answer.device_caps : answer.capabilities
        self.descriptor = descriptor
    }

    /// The descriptor to wait for: readable when a captured buffer can be dequeued, writable when an output buffer can,
    /// priority when an event can.
    public var raw: Int32 { descriptor.raw }

    /// "HDMI to USB (usb-0000:00:14.0-3)": what a person knows it by.
    public var name: String { bus.isEmpty ? card : "\(card) (\(bus))" }

    /// Whether pictures can be captured and streamed, in which of the two forms of the interface; nil when not.
    public var captureType: V4L2BufferType? {
        guard can(V4L2_CAP_STREAMING) else { return nil }
        if can(V4L2_CAP_VIDEO_CAPTURE_MPLANE) { return .captureMultiplanar }
        return can(V4L2_CAP_VIDEO_CAPTURE) ? .capture : nil
    }

    /// Whether a capability's bit is set.
    /// - Parameter capability: one of V4L2_CAP_….
    public func can<Number: BinaryInteger>(_ capability: Number) -> Bool {
        capabilities & UInt32(truncatingIfNeeded: capability) != 0
    }

    /// Makes a request (`ioctl(2)`), again when a signal interrupts it. The argument is the C struct of the request.
    /// - Throws: the driver's `Errno`.
    public func request<Argument>(_ number: UInt, _ argument: inout Argument) throws(Errno) {
        let raw = descriptor.raw
        let status = withUnsafeMutableBytes(of: &argument) { ckernel_ioctl(raw, number, $0.baseAddress) }
        if status < 0 { throw Errno.last }
    }

    /// A fixed array of characters up to its first NUL.
    static func text<Characters>(_ characters: inout Characters) -> String {
        withUnsafeBytes(of: &characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
