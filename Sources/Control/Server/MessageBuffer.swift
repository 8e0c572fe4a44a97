import Glibc

/// Bytes that came in, cut into messages at their NULs. It holds one byte more than a message may have at most.
struct MessageBuffer {
    /// The most bytes of a message, its NUL apart.
    private let limit: Int
    private var bytes: [UInt8] = []
    /// Where the next message begins.
    private var start = 0
    /// Up to where there is no NUL.
    private var searched = 0

    init(limit: Int) {
        self.limit = limit
    }

    /// Whether nothing waits in it.
    var isEmpty: Bool { start == bytes.count }

    /// The most bytes that may be put into it now.
    var room: Int { limit + 1 - (bytes.count - start) }

    /// Whether the message that begins is longer than a message may be.
    var isTooLong: Bool { room == 0 && searched == bytes.count }

    /// Puts bytes behind the others, at most `room` of them.
    mutating func append(_ more: UnsafeRawBufferPointer) {
        if start > 0 {
            bytes.removeFirst(start)
            searched -= start
            start = 0
        }
        bytes.append(contentsOf: more)
    }

    /// The next message without its NUL; nil when none is whole.
    mutating func next() -> ArraySlice<UInt8>? {
        let end = bytes.withUnsafeBytes { all -> Int? in
            guard let base = all.baseAddress, let found = memchr(base + searched, 0, all.count - searched) else {
                return nil
            }
            return UnsafeRawPointer(found) - base
        }
        guard let end else {
            searched = bytes.count
            return nil
        }
        let message = bytes[start..<end]
        start = end + 1
        searched = start
        // The message keeps the memory; nothing is kept for a connection that rests.
        if isEmpty { (bytes, start, searched) = ([], 0, 0) }
        return message
    }
}
