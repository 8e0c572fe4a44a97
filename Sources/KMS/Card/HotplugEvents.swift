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
                if Self.isAboutScreens(bytes.prefix(max(count, 0))) { isAboutScreens = true }
            }
        }
    }

    /// Whether one of the lines, of which each ends with a 0, names the subsystem. Read in place, since all devices' words
    /// come here.
    static func isAboutScreens<Bytes: Collection<UInt8>>(_ bytes: Bytes) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let end = rest.firstIndex(of: 0) ?? rest.endIndex
            if rest[..<end].elementsEqual("SUBSYSTEM=drm".utf8) { return true }
            rest = rest[end...].dropFirst()
        }
        return false
    }
}
