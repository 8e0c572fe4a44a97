import Glibc
import Linux
import Media
import Synchronization
import V4L2

extension HardwareEncoder {
    /// Opens an encoder on a thread of its own, so that a device that hangs holds nobody up for longer than a limit. While an
    /// encoder of the same path is still being closed, it is tried again: some devices are for one user at a time.
    /// - Parameters:
    ///   - configuration: what is wanted.
    ///   - limit: milliseconds; what comes later is closed again.
    /// - Throws: `Failure` of kind encoderFailed.
    public static func open(_ configuration: Configuration, within limit: Int32) throws(Failure) -> HardwareEncoder {
        let opening: EncoderOpening
        do throws(Errno) {
            opening = try EncoderOpening()
            let end = MonotonicTime.now + Int64(limit) * 1_000_000
            try Thread("encoder-open") { opening.finish(EncoderOpening.tried(configuration, until: end)) }.detach()
        } catch {
            throw Failure(.encoderFailed, "cannot open \(configuration.path)", because: "\(error)")
        }
        _ = opening.done.wait(milliseconds: limit)
        if let result = opening.take() { return try result.get() }
        throw Failure(
            .encoderFailed, "cannot open \(configuration.path)", because: "it does not answer within \(limit) ms",
            mend: "Use --encoder software; only a restart of the board may bring the device back.")
    }
}

/// An encoder on its way from the thread that opens it to the one that wants it.
final class EncoderOpening: @unchecked Sendable {
    // Unchecked because the encoder inside is used by one thread at a time: under the lock it goes from one to the other.

    /// Signalled when the result is there.
    let done: EventDescriptor
    private let state = Mutex(State.awaited)

    private enum State {
        case awaited
        case arrived(Box)
        case abandoned
    }

    /// Carries the result, whose encoder no two threads use.
    private final class Box: @unchecked Sendable {
        // Unchecked for the same reason as the opening.
        let result: Result<HardwareEncoder, Failure>
        init(_ result: Result<HardwareEncoder, Failure>) { self.result = result }
    }

    init() throws(Errno) {
        done = try EventDescriptor()
    }

    /// Tries to open; when that fails while older ones are being closed, again after each of them.
    static func tried(
        _ configuration: HardwareEncoder.Configuration, until end: MonotonicTime
    ) -> Result<HardwareEncoder, Failure> {
        let path = configuration.path
        var older = V4L2Disposal.pending(at: path)
        while true {
            do throws(Failure) {
                return .success(try HardwareEncoder(configuration))
            } catch {
                while older > 0, V4L2Disposal.pending(at: path) >= older, MonotonicTime.now < end { usleep(10_000) }
                guard older > 0, MonotonicTime.now < end else { return .failure(error) }
                older = V4L2Disposal.pending(at: path)
            }
        }
    }

    /// Hands the result over; an encoder that nobody waits for any longer is closed.
    func finish(_ result: Result<HardwareEncoder, Failure>) {
        let box = Box(result)
        let isWanted = state.withLock { state in
            if case .abandoned = state { return false }
            state = .arrived(box)
            return true
        }
        if isWanted {
            done.signal()
        } else if case .success(let encoder) = box.result {
            encoder.close()
        }
    }

    /// The result, once; nil when it is not there, and is not wanted any more.
    func take() -> Result<HardwareEncoder, Failure>? {
        let box = state.withLock { state -> Box? in
            defer { state = .abandoned }
            if case .arrived(let box) = state { return box }
            return nil
        }
        return box?.result
    }
}
