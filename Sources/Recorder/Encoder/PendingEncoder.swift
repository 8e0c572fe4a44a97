import Encoding
import Linux
import Media
import Synchronization

/// An encoder that is opened on a thread of its own, since a device may take its time while a recording goes on. Whoever waits
/// may give up at any moment; the encoder is then closed as soon as it is there.
final class PendingEncoder: Sendable {
    private let shared: Shared

    /// What both threads have.
    private final class Shared: Sendable {
        let done: EventDescriptor
        let box = Mutex<Box?>(nil)
        init(_ done: EventDescriptor) { self.done = done }
    }

    /// Carries the result from one thread to the other.
    private final class Box: @unchecked Sendable {
        // Unchecked because the encoder inside is used by one thread at a time: under the lock it goes from one to the other.
        let result: Result<any VideoEncoder, Failure>
        init(_ result: Result<any VideoEncoder, Failure>) { self.result = result }
    }

    /// - Parameter open: is called on the other thread.
    /// - Throws: `Failure` of kind internalFault when no thread or descriptor is left.
    init(_ open: @escaping @Sendable () throws(Failure) -> any VideoEncoder) throws(Failure) {
        do throws(Errno) {
            let shared = Shared(try EventDescriptor())
            self.shared = shared
            try Thread("encoder-wait") {
                let box = Box(Self.result(open))
                shared.box.withLock { $0 = box }
                shared.done.signal()
            }.detach()
        } catch {
            throw Failure(.internalFault, "cannot open an encoder", because: "\(error)")
        }
    }

    private static func result(
        _ open: () throws(Failure) -> any VideoEncoder
    ) -> Result<any VideoEncoder, Failure> {
        do throws(Failure) {
            return .success(try open())
        } catch {
            return .failure(error)
        }
    }

    /// Readable once the encoder is there, or is known not to come.
    var descriptor: Int32 { shared.done.raw }

    /// Waits a moment for the encoder.
    /// - Returns: nil when it is not there yet.
    func take(within milliseconds: Int32 = 20) -> Result<any VideoEncoder, Failure>? {
        guard shared.done.wait(milliseconds: milliseconds) else { return nil }
        return shared.box.withLock { $0.take() }?.result
    }
}
