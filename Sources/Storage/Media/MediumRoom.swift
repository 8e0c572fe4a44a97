import Linux
import Media
import Synchronization

/// How much room a medium has.
struct MediumRoom: Hashable, Sendable {
    var freeByteCount: Int64
}

/// Asks media how much room they have. Each question has a thread of its own, since a medium that is dying may never
/// answer: that one thread waits then, and nobody else does.
final class RoomQuestions: Sendable {
    enum Answer: Hashable, Sendable {
        case room(MediumRoom)
        case failed(Failure)
    }

    private struct State: Sendable {
        /// Since when questions wait for their answer.
        var open: [MediaList.Key: MonotonicTime] = [:]
        var answers: [(MediaList.Key, Answer)] = []
    }

    private let state = Mutex(State())
    private let answered: EventDescriptor

    /// - Throws: `Errno` when no descriptor is left.
    init() throws(Errno) {
        answered = try EventDescriptor()
    }

    /// Readable while there are answers.
    var descriptor: Int32 { answered.raw }

    /// Asks a medium, if it owes no answer.
    func ask(_ key: MediaList.Key, _ place: MediumPlace) {
        let isNew = state.withLock { state in
            if state.open[key] != nil { return false }
            state.open[key] = .now
            return true
        }
        guard isNew else { return }
        do {
            try Thread("kinebox-room", stackSize: 128 << 10) { [self] in answer(key, Self.room(in: place)) }.detach()
        } catch {
            answer(
                key, .failed(Failure(.internalFault, "cannot ask for the room on a medium", because: "\(error)")))
        }
    }

    private func answer(_ key: MediaList.Key, _ answer: Answer) {
        state.withLock { state in
            state.open[key] = nil
            state.answers.append((key, answer))
        }
        answered.signal()
    }

    private static func room(in place: MediumPlace) -> Answer {
        do throws(Failure) {
            try place.verify()
            return .room(MediumRoom(freeByteCount: try Volume(holding: place.folder).freeByteCount))
        } catch {
            return .failed(error)
        }
    }

    /// Takes the answers that came.
    func takeAnswers() -> [(MediaList.Key, Answer)] {
        answered.clear()
        return state.withLock { state in
            defer { state.answers = [] }
            return state.answers
        }
    }

    /// Whether a medium has owed an answer for some time.
    /// - Parameter nanoseconds: of that time.
    func isLate(_ key: MediaList.Key, by nanoseconds: Int64, now: MonotonicTime) -> Bool {
        state.withLock { $0.open[key] }.map { now - $0 > nanoseconds } ?? false
    }
}
