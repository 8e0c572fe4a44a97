import Media

/// The options and operands of one command, taken apart.
struct Options {
    /// What a command accepts.
    struct Declaration {
        /// With its two dashes: "--video".
        var name: String
        /// True when a value follows; false for a switch.
        var takesValue: Bool
        /// True when it may be given more than once.
        var isRepeatable = false
    }

    /// What stands beside the options.
    private(set) var operands: [String] = []
    private var values: [String: [String]] = [:]

    /// Takes the arguments behind a command's name apart. A long option's value follows it or stands behind "=". What
    /// follows "--" is an operand.
    /// - Throws: `Failure` of kind invalidValue for an option that is unknown, given twice, or lacks or has a value
    ///   against its declaration.
    init(_ arguments: [String], of command: String, declared: [Declaration]) throws(Failure) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                operands += rest
                return
            }
            guard argument.hasPrefix("--") else {
                if argument.hasPrefix("-"), argument != "-" {
                    throw Self.wrong(argument, "there are no options with one dash", of: command)
                }
                operands.append(argument)
                continue
            }
            let pieces = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(pieces[0])
            guard let declaration = declared.first(where: { $0.name == name }) else {
                throw Self.unknown(name, of: command, declared: declared)
            }
            if values[name] != nil && !declaration.isRepeatable {
                throw Self.wrong(name, "the option is given twice", of: command)
            }
            var value = ""
            if declaration.takesValue {
                guard let given = pieces.count == 2 ? String(pieces[1]) : rest.popFirst() else {
                    throw Self.wrong(name, "its value is missing", of: command)
                }
                value = given
            } else if pieces.count == 2 {
                throw Self.wrong(name, "the option takes no value", of: command)
            }
            values[name, default: []].append(value)
        }
    }

    /// The value of an option; nil when it was not given.
    subscript(name: String) -> String? { values[name]?.last }

    /// All values of an option, in their order.
    func all(_ name: String) -> [String] { values[name] ?? [] }

    /// Whether a switch was given.
    func has(_ name: String) -> Bool { values[name] != nil }

    private static func unknown(_ name: String, of command: String, declared: [Declaration]) -> Failure {
        let hint = Suggestion.nearest(name, among: declared.map(\.name)).map { " Did you mean \($0)?" } ?? ""
        return Failure(
            .invalidValue, "cannot use \(name)", because: "kinebox \(command) has no such option",
            mend: "See kinebox \(command) --help." + hint)
    }

    private static func wrong(_ name: String, _ cause: String, of command: String) -> Failure {
        Failure(.invalidValue, "cannot use \(name)", because: cause, mend: "See kinebox \(command) --help.")
    }
}
