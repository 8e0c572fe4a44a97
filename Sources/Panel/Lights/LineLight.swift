import Linux
import Media

/// A light on a GPIO line. The kernel lets no line blink, so our own timer does.
final class LineLight: LightOutput {
    private let line: LineRequest

    /// Takes the line; the light is dark.
    init(_ address: LineAddress, isActiveLow: Bool) throws(Failure) {
        line = try LineRequest.output(address, isActiveLow: isActiveLow)
    }

    func show(_ pattern: LightPattern) throws(Errno) -> Bool {
        try line.set(pattern.level ?? false)
        return pattern.level != nil
    }

    func set(_ isLit: Bool) throws(Errno) {
        try line.set(isLit)
    }

    func giveBack() {
        // A line that has gone is dark.
        try? line.set(false)
    }

    /// Closing alone leaves the line as it was, on most chips.
    var lastWill: LastWill { LastWill(lines: [line.raw]) }
}
