import Glibc
import Linux
import Media

/// The lights of a panel. A light is written to only when what it shows changes, and where the kernel can let it blink,
/// nothing wakes up for that. When this program dies, the lights say so: see `LightGuard`.
///
/// It belongs to one thread, which stays as long as the program: it waits for `raw`, and calls `process` when that is
/// readable. Make it early: a copy of the program's memory as it is then is kept aside, shared until it is changed.
public final class Lights {
    private let epoll: Epoll
    private let timer: TimerDescriptor
    private var slots: [LightSlot]
    private var keeper: LightGuard?
    private var told = Told(signal: .idle, times: nil)
    /// When the light has shown long enough which box this is; nil while it does not.
    private var identified: MonotonicTime?
    /// What the timer is set to.
    private var alarm: MonotonicTime?

    /// What the recording light has to tell.
    private struct Told: Equatable {
        var signal: LightSignal
        var times: Int?
    }

    private static let timerToken: UInt64 = 0
    private static let keeperToken: UInt64 = 1

    /// Takes all lights that are there, and makes them dark. One that is not is no failure: `absences` names it, and it is
    /// looked for again when it has something to show.
    /// - Throws: `Failure` when the system has no descriptor or process left.
    public init(_ configuration: LightConfiguration) throws(Failure) {
        slots = LightSlot.all(of: configuration)
        do throws(Errno) {
            epoll = try Epoll()
            timer = try TimerDescriptor()
            try epoll.add(timer.raw, for: .readable, token: Self.timerToken)
        } catch {
            throw Failure(.internalFault, "cannot set lights", because: "\(error)")
        }
        for index in slots.indices { _ = slots[index].open(within: 50) }
        try appointGuard()
        for index in slots.indices { try? slots[index].show(.dark) }
    }

    /// The descriptor to wait for: readable when `process` has something to do.
    public var raw: Int32 { epoll.raw }

    /// The lights that cannot be set just now, and why.
    public var absences: [Failure] { slots.compactMap(\.absence) }

    /// Shows what the recording light has to tell.
    /// - Parameters:
    ///   - signal: what it tells.
    ///   - times: how often a signal that blinks is shown, the light being dark afterwards; nil for as long as nothing else is.
    /// - Throws: `Failure` where the light cannot be set; it is tried again with the next call.
    public func show(_ signal: LightSignal, times: Int? = nil) throws(Failure) {
        let told = Told(signal: signal, times: times)
        if told == self.told, identified != nil { return }
        self.told = told
        identified = nil
        try tell()
    }

    /// Lets the recording light show for some seconds which box this is, unless it has something else to tell meanwhile.
    /// - Throws: `Failure` where the light cannot be set.
    public func identify() throws(Failure) {
        let pattern = LightGrammar.identification
        identified = MonotonicTime.now + (pattern.length ?? 0)
        try show { $0 == .medium ? nil : pattern }
    }

    /// Shows what the medium's light has to tell; nothing where there is none.
    /// - Throws: `Failure` where the light cannot be set.
    public func show(medium signal: MediumSignal) throws(Failure) {
        try show { $0 == .medium ? LightGrammar.pattern(ofMedium: signal) : nil }
    }

    /// Does what is due: the next step of a blinking that the kernel does not see to, and a new guard for one that was ended.
    /// - Throws: `Failure` where that is not possible.
    public func process() throws(Failure) {
        var isAbandoned = false
        var isDue = false
        do throws(Errno) {
            try epoll.wait(milliseconds: 0) { token, _ in
                if token == Self.keeperToken { isAbandoned = true } else { isDue = true }
            }
            if isDue { _ = timer.expirations() }
        } catch {
            throw Failure(.internalFault, "cannot set lights", because: "\(error)")
        }
        if isDue {
            if let end = identified, end <= .now {
                identified = nil
                try tell()
            } else {
                try step()
            }
        }
        if isAbandoned { try appointGuard() }
    }

    /// Makes all lights dark and gives them back. It ends the guard, so it has to be called before a program ends as it
    /// should; whatever else ends it is told by the lights.
    public func close() {
        for index in slots.indices { slots[index].close() }
        dismissGuard()
    }

    deinit {
        close()
    }

    // MARK: - Inside

    private func tell() throws(Failure) {
        let pattern = LightGrammar.pattern(of: told.signal)
        let shown = pattern.level == nil ? pattern.repeated(told.times) : pattern
        let color = LightGrammar.color(of: told.signal)
        try show { role in
            guard case .recording(let part) = role else { return nil }
            return part.isDisjoint(with: color) ? .dark : shown
        }
    }

    private func show(_ pattern: (LightSlot.Role) -> LightPattern?) throws(Failure) {
        var failure: Failure?
        var isFound = false
        for index in slots.indices {
            guard let pattern = pattern(slots[index].role) else { continue }
            do throws(Failure) {
                if slots[index].open(within: 1) { isFound = true }
                try slots[index].show(pattern)
            } catch {
                failure = error
            }
        }
        if isFound { try appointGuard() }
        try step(after: failure)
    }

    /// Sets the lights that blink by our timer to what they have to be now, and the timer to the next change.
    /// - Throws: `Failure`, the one that there was before, too: one light that has gone keeps no other from blinking.
    private func step(after before: Failure? = nil) throws(Failure) {
        var failure = before
        var next = identified
        if slots.contains(where: \.isPlaying) {
            let now = MonotonicTime.now
            for index in slots.indices {
                do throws(Failure) {
                    guard let change = try slots[index].step(to: now) else { continue }
                    next = min(next ?? change, change)
                } catch {
                    failure = error
                }
            }
        }
        try setAlarm(next)
        if let failure { throw failure }
    }

    private func setAlarm(_ next: MonotonicTime?) throws(Failure) {
        guard next != alarm else { return }
        alarm = next
        do throws(Errno) {
            if let next { try timer.arm(at: next) } else { try timer.disarm() }
        } catch {
            throw Failure(.clockFailed, "cannot let a light blink", because: "\(error)")
        }
    }

    private func dismissGuard() {
        if let dismissed = keeper.take() { try? epoll.remove(dismissed.raw) }
    }

    /// A guard does what was asked of it when it began, so other lights need another one. It begins before the old one ends.
    private func appointGuard() throws(Failure) {
        let will = slots.reduce(LastWill()) { $0 + $1.lastWill }
        guard will != LastWill() else { return dismissGuard() }
        do throws(Errno) {
            let appointed = try LightGuard(will)
            dismissGuard()
            try epoll.add(appointed.raw, for: .readable, token: Self.keeperToken)
            keeper = consume appointed
        } catch {
            throw Failure(.internalFault, "cannot guard the lights", because: "\(error)")
        }
    }
}
