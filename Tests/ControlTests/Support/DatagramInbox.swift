import Glibc
import Linux

/// Stands for a service manager or a journal: a datagram socket at a path, and what has come to it.
final class DatagramInbox {
    let path: String
    private let socket: Int32

    init?(at path: String) {
        self.path = path
        socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { room in
            for (index, byte) in path.utf8.enumerated() where index < room.count - 1 { room[index] = byte }
        }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { return nil }
    }

    deinit { close(socket) }

    /// The next datagram; nil when none is there.
    func next() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        let count = recv(socket, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        return count < 0 ? nil : Array(buffer.prefix(count))
    }

    /// The next datagram's lines.
    func nextLines() -> [String]? {
        next().map { String(decoding: $0, as: UTF8.self).split(separator: "\n").map(String.init) }
    }
}
