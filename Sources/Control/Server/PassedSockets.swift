import Linux
import Media

/// Sockets that were opened by whoever started this program (`PassedDescriptors`), for the service's clients.
public enum PassedSockets {
    /// Takes the sockets over; a second call finds none.
    /// - Parameter body: is given each of them.
    /// - Returns: how many there were; 0 when this program was not started so.
    /// - Throws: `Failure` of kind invalidValue for what is no Unix stream socket that listens, or what `body` throws.
    public static func take(_ body: (consuming UnixListener) throws(Failure) -> Void) throws(Failure) -> Int {
        let passed: [Int32]
        do throws(Errno) {
            passed = try PassedDescriptors.take()
        } catch {
            throw failure(error)
        }
        for raw in passed { try body(try listener(FileDescriptor(owning: raw))) }
        return passed.count
    }

    private static func listener(_ descriptor: consuming FileDescriptor) throws(Failure) -> UnixListener {
        do throws(Errno) {
            return try UnixListener(owning: descriptor)
        } catch {
            throw failure(error)
        }
    }

    private static func failure(_ reason: Errno) -> Failure {
        Failure(
            .invalidValue, "cannot serve clients on the socket that was handed on", because: "\(reason)",
            mend: "Look at ListenStream= in the unit of the socket.")
    }
}
