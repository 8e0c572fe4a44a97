import CKernel
import Glibc
import Linux
import Media

/// An open Video4Linux device: a camera, a capture device, or an encoder. Used by one thread.
///
/// Names and numbers are those of the kernel's documentation, "Video for Linux API".
public final class V4L2Device: V4L2Node {
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
    private var handle: V4L2Handle

    /// Who stands between the program and the device.
    public enum Access: Sendable {
        /// Nobody: plain requests.
        case kernel
        /// Libv4l2 with its plugins, by which some makers' hardware is reached; its conversions are switched off.
        case library
    }

    /// Opens a device for reading and writing, without blocking.
    /// - Parameters:
    ///   - path: "/dev/video0", or a link to it.
    ///   - access: who stands between.
    /// - Throws: `Failure` of kind noSource that says why and what helps.
    public init(opening path: String, through access: Access = .kernel) throws(Failure) {
        let handle: V4L2Handle
        var answer = v4l2_capability()
        do {
            handle = try V4L2Handle(opening: path, byLibrary: access == .library)
        } catch {
            throw V4L2Failure.opening(path, error)
        }
        guard handle.request(CKERNEL_VIDIOC_QUERYCAP, &answer) == 0 else {
            throw Failure(.noSource, "cannot use \(path)", because: "it is no video device")
        }
        self.path = path
        driver = Self.text(&answer.driver)
        card = Self.text(&answer.card)
        bus = Self.text(&answer.bus_info)
        // Drivers older than the field leave the flag and the field at 0.
        let hasOwn = answer.capabilities & UInt32(bitPattern: Int32(truncatingIfNeeded: V4L2_CAP_DEVICE_CAPS)) != 0
        capabilities = hasOwn ? answer.device_caps : answer.capabilities
        raw = handle.raw
        self.handle = consume handle
    }

    /// The descriptor to wait for: readable when a captured buffer can be dequeued, writable when an output buffer can,
    /// priority when an event can.
    public let raw: Int32

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
        let status = withUnsafeMutableBytes(of: &argument) { handle.request(number, $0.baseAddress) }
        if status < 0 { throw Errno.last }
    }

    /// Maps a buffer for reading and writing.
    func map(offset: Int64, count: Int) throws(Errno) -> V4L2Map {
        try handle.map(offset: offset, count: count)
    }

    /// Closes the device, whoever else still refers to it: requests give EBADF from then on.
    func close() {
        handle.close()
    }

    /// A fixed array of characters up to its first NUL.
    static func text<Characters>(_ characters: inout Characters) -> String {
        withUnsafeBytes(of: &characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
