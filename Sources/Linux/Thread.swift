import CKernel
import Glibc

/// A thread of the system (`pthreads(7)`) with a name and a small stack. It must be joined or detached.
public struct Thread: ~Copyable, Sendable {
    private let handle: pthread_t

    /// Starts a thread.
    /// - Parameters:
    ///   - name: at most 15 bytes, as `ps -L` shows it.
    ///   - stackSize: bytes; pages that are not touched cost nothing.
    ///   - body: runs on the new thread.
    /// - Throws: `Errno` when the system has no thread left.
    public init(_ name: String, stackSize: Int = 512 << 10, _ body: @escaping @Sendable () -> Void) throws(Errno) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, stackSize)
        let start = Unmanaged.passRetained(Start(name: name, body: body))
        var created = pthread_t()
        let result = pthread_create(
            &created, &attributes,
            { argument in
                guard let argument else { return nil }
                let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
                _ = ckernel_name_thread(start.name)
                start.body()
                return nil
            }, start.toOpaque())
        guard result == 0 else {
            start.release()
            throw Errno(result)
        }
        handle = created
    }

    /// Waits until the thread has ended.
    public consuming func join() {
        pthread_join(handle, nil)
    }

    /// Lets the thread end by itself: nobody waits for it.
    public consuming func detach() {
        pthread_detach(handle)
    }

    private final class Start: Sendable {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = String(name.prefix(15))
            self.body = body
        }
    }
}
