import Media

/// What every bench takes: `--quick`, `--json`, and numbers of its own as `--NAME N`.
struct BenchOptions {
    /// True for a short run that ends within fifty seconds.
    let isQuick: Bool
    /// True to print one JSON object in place of a table.
    let isJSON: Bool
    private let numbers: [String: Int]

    /// - Parameters:
    ///   - arguments: those behind the command's name.
    ///   - names: the numbers that the bench takes, without their dashes.
    /// - Throws: `Failure` of kind invalidValue for anything else.
    init(_ arguments: [String], numbers names: [String] = []) throws(Failure) {
        var (isQuick, isJSON, numbers) = (false, false, [String: Int]())
        var rest = arguments[...]
        while let option = rest.popFirst() {
            switch option {
            case "--quick": isQuick = true
            case "--json": isJSON = true
            default:
                let name = String(option.dropFirst(2))
                guard option.hasPrefix("--"), names.contains(name), let number = rest.popFirst().flatMap({ Int($0) }),
                    number > 0
                else {
                    let known = ["--quick", "--json"] + names.map { "--\($0) N" }
                    throw Failure(
                        .invalidValue, "cannot use \(option)", because: "it is not understood here",
                        mend: "Known are \(known.joined(separator: ", ")).")
                }
                numbers[name] = number
            }
        }
        (self.isQuick, self.isJSON, self.numbers) = (isQuick, isJSON, numbers)
    }

    /// A number as it was given, else what is usual for a quick or a full run.
    func number(_ name: String, quick: Int, full: Int) -> Int { numbers[name] ?? (isQuick ? quick : full) }
}
