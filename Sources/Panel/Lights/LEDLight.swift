import Glibc
import Linux
import Media

/// A light that the kernel knows (`Documentation/leds/leds-class.rst`), which it lets blink without waking anybody:
/// by the trigger `pattern`, or `timer` where there is only that.
///
/// The files of a trigger come and go with it, and belong to root until udev has heard of it. So `pattern` is set once, and
/// shows everything from then on, also what stands still.
final class LEDLight: LightOutput {
    private let folder: String
    private let level: Int
    private let triggers: Set<String>
    /// Its lock says that the light is taken. `brightness` is the one file that every light has.
    private let lock: FileDescriptor
    /// What the light shows when nobody is left to set it.
    private let afterDeath: LightPattern
    /// Whether the trigger `pattern` is set, and we may write its files.
    private var hasPatterns = false
    /// What stands in `repeat`; nil for ever.
    private var repeats: Int?

    /// Takes the light, and makes it dark.
    /// - Parameters:
    ///   - name: as in `/sys/class/leds`.
    ///   - percent: of its full brightness, 1...100.
    ///   - afterDeath: what it shows when nobody is left to set it.
    ///   - root: the folder with all lights.
    ///   - patience: how often, 20 ms apart, it is looked whether udev has given us the trigger's files.
    /// - Throws: `Failure` where there is no such light, this user may not set it, or another program has it.
    init(
        _ name: String, percent: Int, afterDeath: LightPattern, root: String = "/sys/class/leds", patience: Int = 1
    ) throws(Failure) {
        let folder = "\(root)/\(name)"
        do throws(Errno) {
            let lock = try FileDescriptor.open("\(folder)/brightness", O_RDWR)
            guard try lock.lockExclusively() else { throw Errno(EBUSY) }
            self.lock = lock
        } catch {
            throw PanelFailure.opening("the light \(name)", error, group: "gpio")
        }
        self.folder = folder
        self.afterDeath = afterDeath
        let full = SystemDirectory.line("\(folder)/max_brightness").flatMap(Int.init) ?? 255
        level = max(full * percent / 100, 1)
        // The one that is set stands in brackets.
        let listed = SystemDirectory.text("\(folder)/trigger") ?? ""
        triggers = Set(listed.split { " []\n".contains($0) }.map(String.init))
        do throws(Errno) {
            try write(still(false))
        } catch {
            throw PanelFailure.opening("the light \(name)", error, group: "gpio")
        }
        takePatterns(patience)
    }

    func show(_ pattern: LightPattern) throws(Errno) -> Bool {
        if hasPatterns {
            // Somebody may have taken the trigger away.
            if isWritten(inPatterns(pattern)) || takePatterns(1) && isWritten(inPatterns(pattern)) {
                repeats = pattern.repeats
                return true
            }
            hasPatterns = false
        }
        if let byTimer = byTimer(pattern), isWritten(byTimer) { return true }
        try write(still(pattern.level ?? false))
        return pattern.level != nil
    }

    func set(_ isLit: Bool) throws(Errno) {
        try write([file("brightness", isLit ? "\(level)" : "0")])
    }

    func giveBack() {
        // A light that has gone is dark.
        _ = isWritten(still(false))
    }

    var lastWill: LastWill {
        LastWill(locks: [lock.raw], writes: hasPatterns ? inPatterns(afterDeath, isSure: true) : still(false))
    }

    /// What has to be written into the files of the trigger `pattern`. A count is written behind the pattern, which begins
    /// anew with it: before, the old pattern would.
    /// - Parameter isSure: whether the count is written whatever is believed to stand there.
    func inPatterns(_ pattern: LightPattern, isSure: Bool = false) -> [LastWill.Write] {
        let steps = file("pattern", steps(of: pattern))
        if pattern.repeats == nil, repeats == nil, !isSure { return [steps] }
        return [steps, file("repeat", "\(pattern.repeats ?? -1)")]
    }

    /// What has to be written for an even blinking by the trigger `timer`; nil for another pattern, and where there is none.
    func byTimer(_ pattern: LightPattern) -> [LastWill.Write]? {
        guard triggers.contains("timer"), pattern.steps.count == 2, pattern.repeats == nil else { return nil }
        return [
            file("trigger", "timer"), file("delay_on", "\(pattern.steps[0].milliseconds)"),
            file("delay_off", "\(pattern.steps[1].milliseconds)"),
        ]
    }

    /// What has to be written for a light that stands still without any trigger.
    func still(_ isLit: Bool) -> [LastWill.Write] {
        (triggers.contains("none") ? [file("trigger", "none")] : []) + [file("brightness", isLit ? "\(level)" : "0")]
    }

    /// Sets the trigger `pattern`, where there is one.
    @discardableResult
    private func takePatterns(_ patience: Int) -> Bool {
        hasPatterns = triggers.contains("pattern") && isWritten([file("trigger", "pattern")])
        repeats = nil
        guard hasPatterns else { return false }
        for attempt in 1...patience {
            if isWritten(inPatterns(.dark)) { return true }
            if attempt < patience { usleep(20_000) }
        }
        hasPatterns = false
        return false
    }

    /// The kernel fades from one pair of brightness and time to the next: a pair of no time makes an edge. What stands still
    /// is looked at once an hour, by the kernel alone.
    private func steps(of pattern: LightPattern) -> String {
        pattern.steps.map { step in
            let value = step.isLit ? level : 0
            return "\(value) \(pattern.level == nil ? step.milliseconds : 3_600_000) \(value) 0"
        }.joined(separator: " ")
    }

    private func file(_ name: String, _ text: String) -> LastWill.Write {
        LastWill.Write(path: "\(folder)/\(name)", text: text)
    }

    private func isWritten(_ writes: [LastWill.Write]) -> Bool {
        do throws(Errno) {
            try write(writes)
            return true
        } catch {
            return false
        }
    }

    private func write(_ writes: [LastWill.Write]) throws(Errno) {
        for write in writes {
            let file = try FileDescriptor.open(write.path, O_WRONLY)
            let bytes = Array(write.text.utf8)
            // The kernel takes such a file's content in one call, or refuses it.
            let count = bytes.withUnsafeBytes { Glibc.write(file.raw, $0.baseAddress, $0.count) }
            if count < 0 { throw Errno.last }
        }
    }
}
