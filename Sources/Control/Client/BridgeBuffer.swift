import Glibc

/// Bytes on their way over a bridge: so many at a time that a pipe which has room takes them without waiting
/// (`pipe(7)`, PIPE_BUF).
struct BridgeBuffer {
    private var bytes: [UInt8] = []
    private var start = 0

    private static let size = 4096

    var isEmpty: Bool { start == bytes.count }

    /// Fills it, when it is empty.
    /// - Parameter read: says how many bytes it has read, 0 or less for none.
    mutating func fill(_ read: (UnsafeMutableRawBufferPointer) -> Int) {
        start = 0
        bytes = [UInt8](unsafeUninitializedCapacity: Self.size) { buffer, count in
            count = max(0, read(UnsafeMutableRawBufferPointer(buffer)))
        }
    }

    /// Empties it as far as that goes.
    /// - Parameter write: says how many bytes it has taken, less than 0 when it takes no more.
    /// - Returns: false when no more is taken.
    mutating func drain(_ write: (UnsafeRawBufferPointer) -> Int) -> Bool {
        let from = start
        let count = bytes.withUnsafeBytes { write(UnsafeRawBufferPointer(rebasing: $0[from...])) }
        if count < 0 && errno != EINTR && errno != EAGAIN { return false }
        start += max(0, count)
        return true
    }
}
