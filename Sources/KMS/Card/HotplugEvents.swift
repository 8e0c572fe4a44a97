import CKernel
import Glibc
import Linux

/// The kernel's word that something was plugged into a card or out of it (NETLINK_KOBJECT_UEVENT, subsystem drm).
final class HotplugEvents {
    private let socket: FileDescriptor

    /// - Throws: `Errno` where this process may have no such socket; then it asks once a second.
    init() throws(Errno) {
        let socket = ckernel_uevent_socket()
        guard socket >= 0 else { throw Errno.last }
        self.socket = FileDescriptor(owning: socket)
    }

    /// Readable when something happened to any device.
    var raw: Int32 { socket.raw }

    /// Takes what has been told: whether any of it is about screens.
    func drain() -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { bytes in
            var isAboutScreens = false
            while true {
                let count = ckernel_receive(socket.raw, bytes.baseAddress, UInt(bytes.count))
                // ENOBUFS: more has been told than there was room for.
                if count < 0 && errno == ENOBUFS { isAboutScreens = true } else if count <= 0 { return isAboutScreens }
                let lines = bytes.prefix(max(count, 0)).split(separator: 0)
                if lines.contains(where: { $0.elementsEqual("SUBSYSTEM=drm".utf8) }) { isAboutScreens = true }
            }
        }
    }
}
