import Glibc

/// An error number of the kernel or the C library (`errno(3)`), as a typed error.
public struct Errno: Error, Hashable, Sendable, CustomStringConvertible {
    /// The number, as in `<errno.h>`.
    public let code: Int32

    /// - Parameter code: a value of `errno`, greater than 0.
    public init(_ code: Int32) {
        self.code = code
    }

    /// The error number that the last failed call of this thread left. Read it before any other call.
    public static var last: Errno { Errno(errno) }

    /// The C library's words for the number, such as "No space left on device".
    public var description: String {
        // glibc keeps the text of an unknown number in memory of the calling thread.
        strerror(code).map { String(cString: $0) } ?? "error \(code)"
    }
}

extension Errno {
    /// Throws the last error number when a call returned a negative result; gives the result otherwise.
    static func check<Result: SignedInteger>(_ result: Result) throws(Errno) -> Result {
        if result < 0 { throw Errno.last }
        return result
    }
}
