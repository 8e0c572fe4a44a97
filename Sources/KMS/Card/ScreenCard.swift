import CDRM
import CKernel
import Glibc
import Linux

/// The one owner of an open graphics card (/dev/dri/cardN), for looking only.
///
/// Whoever opens a card that has no master becomes it (`drm_master_open` in the kernel's drm_auth.c), and nobody else could
/// set a mode. So mastership is given back before the initialiser does anything else, and is never taken again. What looks
/// at a card needs none: of all requests that are made here the kernel demands it of no one.
struct ScreenCard: ~Copyable {
    /// The node: "/dev/dri/card0".
    let path: String
    /// Whether the driver is an atomic one: only those tell where a plane lies.
    let isAtomic: Bool
    /// Who says how the memory of its framebuffers lies.
    private(set) var tilingSource = TilingSource.modifier
    private let descriptor: FileDescriptor

    /// Opens a card and gives mastership back.
    /// - Throws: `Errno`: EACCES where this user may not open it, EOPNOTSUPP for a card without screens.
    init(opening path: String) throws(Errno) {
        let descriptor = try FileDescriptor.open(path, O_RDWR | O_NONBLOCK)
        // Fails with EINVAL or EACCES where another program is the master.
        _ = ckernel_ioctl(descriptor.raw, CDRM_DROP_MASTER, nil)
        try Self.demand(descriptor.raw, UInt64(DRM_CLIENT_CAP_UNIVERSAL_PLANES))
        isAtomic = (try? Self.demand(descriptor.raw, UInt64(DRM_CLIENT_CAP_ATOMIC))) != nil
        // Virtual machines' cards hide their cursor from atomic clients that do not say this; others know nothing of it.
        _ = try? Self.demand(descriptor.raw, CDRM_CLIENT_CAP_CURSOR_PLANE_HOTSPOT)
        self.path = path
        self.descriptor = descriptor
        tilingSource = TilingSource(driver: (try? driver()) ?? "")
    }

    /// The descriptor, for waiting: readable when an event is there.
    var raw: Int32 { descriptor.raw }

    /// Whether this open card is the master: authenticating is a request of masters, and no token is 0.
    var isMaster: Bool {
        var token = drm_auth()
        return withUnsafeMutableBytes(of: &token) {
            ckernel_ioctl(descriptor.raw, CDRM_AUTH_MAGIC, $0.baseAddress) == 0 || Errno.last.code != EACCES
        }
    }

    /// Makes a request (`ioctl(2)`), again when a signal interrupts it. The argument is the C struct of the request.
    /// - Throws: the driver's `Errno`.
    func request<Argument>(_ number: UInt, _ argument: inout Argument) throws(Errno) {
        let raw = descriptor.raw
        let result = withUnsafeMutableBytes(of: &argument) { ckernel_ioctl(raw, number, $0.baseAddress) }
        if result < 0 { throw Errno.last }
    }

    /// Reads what has been told (`read(2)`), without waiting: the bytes, 0 when there is nothing.
    func events(into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
        do throws(Errno) {
            return try descriptor.read(into: buffer)
        } catch {
            if error.code == EAGAIN { return 0 }
            throw error
        }
    }

    /// Asks the kernel to treat this open card as one that knows something.
    private static func demand(_ raw: Int32, _ capability: UInt64) throws(Errno) {
        var demand = drm_set_client_cap(capability: capability, value: 1)
        let result = withUnsafeMutableBytes(of: &demand) { ckernel_ioctl(raw, CDRM_SET_CLIENT_CAP, $0.baseAddress) }
        if result < 0 { throw Errno.last }
    }
}
