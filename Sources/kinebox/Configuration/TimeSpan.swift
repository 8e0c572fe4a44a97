/// Lengths of time as people write them, in the form of systemd.time(7): "30", "30s", "2min", "1h 30min", "500ms".
enum TimeSpan {
    private static let units: [(names: [String], nanoseconds: Double)] = [
        (["us", "usec", "µs", "μs"], 1_000), (["ms", "msec"], 1_000_000),
        (["s", "sec", "second", "seconds"], 1_000_000_000), (["m", "min", "minute", "minutes"], 60_000_000_000),
        (["h", "hr", "hour", "hours"], 3_600_000_000_000), (["d", "day", "days"], 86_400_000_000_000),
        (["w", "week", "weeks"], 604_800_000_000_000),
    ]
    /// The most that is taken: three years.
    private static let most = 1e17

    /// The nanoseconds that a text means; a number alone is seconds. Nil for what is no length of time.
    static func nanoseconds(_ text: String) -> Int64? {
        var rest = text[...]
        var sum = 0.0
        repeat {
            let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            guard digits.first?.isNumber ?? false, let number = Double(digits) else { return nil }
            rest = rest.dropFirst(digits.count).drop { $0 == " " }
            let unit = rest.prefix { $0.isLetter }
            rest = rest.dropFirst(unit.count).drop { $0 == " " }
            guard let factor = factor(unit.isEmpty ? "s" : String(unit)) else { return nil }
            sum += number * factor
        } while !rest.isEmpty
        return sum <= most ? Int64(sum.rounded()) : nil
    }

    /// The shortest words for a length of time: "1h 30min", "500ms". "0" for none.
    static func words(_ nanoseconds: Int64) -> String {
        var rest = nanoseconds
        var pieces: [String] = []
        for (name, length) in [("h", 3_600_000_000_000), ("min", 60_000_000_000), ("s", 1_000_000_000)] {
            if rest >= length { pieces.append("\(rest / Int64(length))\(name)") }
            rest %= Int64(length)
        }
        for (name, length) in [("ms", 1_000_000), ("us", 1_000)] where rest > 0 {
            if rest >= length { pieces.append("\(rest / Int64(length))\(name)") }
            rest %= Int64(length)
        }
        return pieces.isEmpty ? "0" : pieces.joined(separator: " ")
    }

    private static func factor(_ unit: String) -> Double? {
        units.first { $0.names.contains(unit) }?.nanoseconds
    }
}
