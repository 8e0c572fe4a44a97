import Glibc
import Linux
import Media

/// A light that the kernel knows (`Documentation/leds/leds-class.rst`), which it lets blink without waking anybody:
/// by the trigger `pattern`, or `timer` where there is only that.
final class LEDLight: LightOutput {
    private let folder: String
    private let level: Int
    private let triggers: Set<String>
    /// Its lock says that the light is taken. `brightness` is the one file that every light has.
    private let lock: FileDescriptor
    /// What the recording light shows when nobody is left; others are dark then.
    private let afterDeath: LightPattern

    /// Takes the light; it is not changed yet.
    /// - Parameters:
    ///   - name: as in `/sys/class/leds`.
    ///   - percent: of its full brightness, 1...100.
    ///   - afterDeath: what it shows when nobody is left to set it.
    ///   - root: the folder with all lights.
    /// - Throws: `Failure` where there is no such light, this user may not set it, or another program has it.
    init(
        _ name: String, percent: Int, afterDeath: LightPattern, root: String = "/sys/class/leds"
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
    }

    func show(_ pattern: LightPattern) throws(Errno) -> Bool {
        let writes = writes(for: pattern)
        for write in writes ?? self.writes(for: .dark) ?? [] {
            try Self.write(write)
        }
        return writes != nil
    }

    func set(_ isLit: Bool) throws(Errno) {
        try Self.write(.init(path: "\(folder)/brightness", text: isLit ? "\(level)" : "0"))
    }

    /// The light goes dark first, whatever the rest comes to.
    var lastWill: LastWill {
        let dark = writes(for: .dark) ?? []
        let after = afterDeath.level == false ? [] : writes(for: afterDeath) ?? []
        return LastWill(locks: [lock.raw], writes: dark + after)
    }

    /// What has to be written so that the kernel shows a pattern by itself; nil when it cannot.
    ///
    /// Each begins by taking the trigger away, since a pattern that is replaced goes on for a moment with the new one's count.
    func writes(for pattern: LightPattern) -> [LastWill.Write]? {
        let none = triggers.contains("none") ? [file("trigger", "none")] : []
        if let isLit = pattern.level { return none + [file("brightness", isLit ? "\(level)" : "0")] }
        if triggers.contains("pattern") {
            let count = pattern.repeats.map { [file("repeat", "\($0)")] } ?? []
            return none + [file("trigger", "pattern")] + count + [file("pattern", steps(of: pattern))]
        }
        if triggers.contains("timer"), pattern.steps.count == 2, pattern.repeats == nil {
            let times = [
                file("delay_on", "\(pattern.steps[0].milliseconds)"),
                file("delay_off", "\(pattern.steps[1].milliseconds)"),
            ]
            return none + [file("trigger", "timer")] + times
        }
        return nil
    }

    /// The kernel fades from one pair of brightness and time to the next: a pair of no time makes an edge.
    private func steps(of pattern: LightPattern) -> String {
        pattern.steps.map { step in
            let value = step.isLit ? level : 0
            return "\(value) \(step.milliseconds) \(value) 0"
        }.joined(separator: " ")
    }

    private func file(_ name: String, _ text: String) -> LastWill.Write {
        LastWill.Write(path: "\(folder)/\(name)", text: text)
    }

    /// A trigger's own files come and go with it, so all are opened anew.
    private static func write(_ write: LastWill.Write) throws(Errno) {
        let file = try FileDescriptor.open(write.path, O_WRONLY)
        let bytes = Array(write.text.utf8)
        // The kernel takes such a file's content in one call, or refuses it.
        let count = bytes.withUnsafeBytes { Glibc.write(file.raw, $0.baseAddress, $0.count) }
        if count < 0 { throw Errno.last }
    }
}
