/// Whole numbers as people write them, with "k", "M", "G" and "T" behind them for thousands and so on, and "Ki", "Mi", "Gi"
/// and "Ti" for powers of 1024. Media are sold by the former, and 4G is meant to fit where a file has 4 294 967 295 bytes at
/// most: so, other than with systemd, 4G are 4 000 000 000.
enum WholeNumber {
    private static let factors = [
        ("Ki", 1 << 10), ("Mi", 1 << 20), ("Gi", 1 << 30), ("Ti", 1 << 40), ("k", 1000), ("K", 1000),
        ("M", 1_000_000), ("G", 1_000_000_000), ("T", 1_000_000_000_000),
    ]

    /// The number that a text means; nil for what is none, or too large.
    static func value(_ text: String) -> Int? {
        let (name, factor) = factors.first { text.hasSuffix($0.0) } ?? ("", 1)
        let digits = text.dropLast(name.count)
        guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(digits) else {
            return nil
        }
        let (product, isTooLarge) = number.multipliedReportingOverflow(by: factor)
        return isTooLarge ? nil : product
    }

    /// The shortest text for a number: "4G".
    static func words(_ number: Int) -> String {
        let fitting = [("T", 1_000_000_000_000), ("G", 1_000_000_000), ("M", 1_000_000), ("k", 1000)]
            .first { number > 0 && number % $0.1 == 0 }
        return fitting.map { "\(number / $0.1)\($0.0)" } ?? "\(number)"
    }
}
