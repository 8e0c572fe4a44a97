/// An interface as its description declares it. The description is read by Varlink's own grammar, without any knowledge
/// of what it should contain.
struct DeclaredInterface {
    indirect enum Form: Equatable {
        case bool, int, float, string, anything
        case named(String)
        case words([String])
        case fields([Field])
        case optional(Form)
        case list(Form)
        case dictionary(Form)
    }

    struct Field: Equatable {
        var name: String
        var form: Form
    }

    struct Method: Equatable {
        var parameters: Form
        var reply: Form
    }

    var name = ""
    var types: [String: Form] = [:]
    var methods: [String: Method] = [:]
    var errors: [String: Form] = [:]
    /// Members, fields and words that no comment stands before.
    var undocumented: [String] = []

    /// What a value has that its form does not allow, a line each.
    func faults(in value: JSONValue, as form: Form, at path: String) -> [String] {
        switch (form, value) {
        case (.bool, .flag), (.int, .whole), (.float, .whole), (.float, .number), (.string, .text),
            (.anything, .object):
            return []
        case (.optional, .null): return []
        case (.optional(let inner), _): return faults(in: value, as: inner, at: path)
        case (.named(let name), _):
            guard let form = types[name] else { return ["\(path): there is no type \(name)"] }
            return faults(in: value, as: form, at: path)
        case (.words(let words), .text(let word)): return words.contains(word) ? [] : ["\(path): no word \(word)"]
        case (.list(let inner), .list(let elements)):
            return elements.enumerated().flatMap { faults(in: $1, as: inner, at: "\(path)[\($0)]") }
        case (.dictionary(let inner), .object(let members)):
            return members.flatMap { faults(in: $1, as: inner, at: "\(path).\($0)") }
        case (.fields(let fields), .object(let members)):
            let known = Set(fields.map(\.name))
            let strange = members.keys.filter { !known.contains($0) }.map { "\(path): no field \($0)" }
            return strange
                + fields.flatMap { faults(in: members[$0.name] ?? .null, as: $0.form, at: "\(path).\($0.name)") }
        default: return ["\(path): \(value) is no \(form)"]
        }
    }

    /// The paths of all optional fields that a value lacks: what a test of every field has missed.
    func absent(in value: JSONValue, as form: Form, at path: String) -> [String] {
        switch (form, value) {
        case (.optional, .null): return [path]
        case (.optional(let inner), _): return absent(in: value, as: inner, at: path)
        case (.named(let name), _): return types[name].map { absent(in: value, as: $0, at: path) } ?? []
        case (.list(let inner), .list(let elements)):
            return elements.isEmpty ? [path] : absent(in: elements[0], as: inner, at: "\(path)[0]")
        case (.fields(let fields), _):
            return fields.flatMap { absent(in: value[$0.name], as: $0.form, at: "\(path).\($0.name)") }
        default: return []
        }
    }
}

/// Reads an interface's description.
struct InterfaceParser {
    enum Token: Equatable {
        case word(String)
        case mark(String)
        case comment
    }

    struct SyntaxError: Error, CustomStringConvertible {
        var description: String
    }

    private var tokens: [Token]
    private var next = 0
    private var interface = DeclaredInterface()
    /// Whether a comment stands right before the present token.
    private var isCommented = false

    static func parse(_ text: String) throws -> DeclaredInterface {
        var parser = InterfaceParser(tokens: tokens(of: text))
        try parser.parseInterface()
        return parser.interface
    }

    private init(tokens: [Token]) {
        self.tokens = tokens
    }

    private static func tokens(of text: String) -> [Token] {
        var tokens: [Token] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let code = line.prefix { $0 != "#" }
            if code.count < line.count { tokens.append(.comment) }
            var rest = code[...]
            while let first = rest.first {
                if first.isLetter || first.isNumber {
                    let word = rest.prefix { $0.isLetter || $0.isNumber || "._-".contains($0) }
                    tokens.append(.word(String(word)))
                    rest = rest.dropFirst(word.count)
                } else {
                    if first == "-" && rest.hasPrefix("->") {
                        tokens.append(.mark("->"))
                        rest = rest.dropFirst(2)
                        continue
                    }
                    if !first.isWhitespace { tokens.append(.mark(String(first))) }
                    rest = rest.dropFirst()
                }
            }
        }
        return tokens
    }

    private mutating func peek() -> Token? {
        while next < tokens.count, tokens[next] == .comment { next += 1 }
        isCommented = next > 0 && tokens[next - 1] == .comment
        return next < tokens.count ? tokens[next] : nil
    }

    private mutating func take() -> Token? {
        let token = peek()
        next += 1
        return token
    }

    private mutating func expect(_ mark: String) throws {
        let token = take()
        guard token == .mark(mark) else {
            throw SyntaxError(description: "\(mark) is missing: \(String(describing: token))")
        }
    }

    private mutating func word() throws -> String {
        guard case .word(let word) = take() else { throw SyntaxError(description: "a word is missing at \(next)") }
        return word
    }

    private mutating func parseInterface() throws {
        guard try word() == "interface" else { throw SyntaxError(description: "it does not begin with an interface") }
        if !isCommented { interface.undocumented.append("interface") }
        interface.name = try word()
        while peek() != nil {
            let kind = try word()
            let isDocumented = isCommented
            let name = try word()
            guard let first = name.first, first.isUppercase,
                name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
            else { throw SyntaxError(description: "\(name) is no name of a member") }
            guard interface.types[name] == nil, interface.methods[name] == nil, interface.errors[name] == nil else {
                throw SyntaxError(description: "\(name) is declared twice")
            }
            if !isDocumented { interface.undocumented.append(name) }
            switch kind {
            case "type": interface.types[name] = try parseStructure(name)
            case "error": interface.errors[name] = try parseStructure(name)
            case "method":
                let parameters = try parseStructure(name)
                try expect("->")
                interface.methods[name] = DeclaredInterface.Method(
                    parameters: parameters, reply: try parseStructure(name))
            default: throw SyntaxError(description: "\(kind) is no kind of member")
            }
        }
    }

    /// `( name: form, ... )` or `( word, ... )`
    private mutating func parseStructure(_ owner: String) throws -> DeclaredInterface.Form {
        try expect("(")
        var fields: [DeclaredInterface.Field] = []
        var words: [String] = []
        while peek() != .mark(")") {
            let name = try word()
            if !isCommented { interface.undocumented.append("\(owner).\(name)") }
            guard name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }), !name.contains("__")
            else {
                throw SyntaxError(description: "\(name) is no name of a field")
            }
            if peek() == .mark(":") {
                try expect(":")
                fields.append(DeclaredInterface.Field(name: name, form: try parseForm(owner)))
            } else {
                words.append(name)
            }
            guard peek() == .mark(",") else { break }
            try expect(",")
        }
        try expect(")")
        guard fields.isEmpty || words.isEmpty else { throw SyntaxError(description: "\(owner) has fields and words") }
        return words.isEmpty ? .fields(fields) : .words(words)
    }

    private mutating func parseForm(_ owner: String) throws -> DeclaredInterface.Form {
        switch peek() {
        case .mark("?"):
            try expect("?")
            return .optional(try parseForm(owner))
        case .mark("["):
            try expect("[")
            if peek() == .mark("]") {
                try expect("]")
                return .list(try parseForm(owner))
            }
            guard try word() == "string" else { throw SyntaxError(description: "the keys of a dictionary are strings") }
            try expect("]")
            return .dictionary(try parseForm(owner))
        case .mark("("): return try parseStructure(owner)
        default:
            switch try word() {
            case "bool": return .bool
            case "int": return .int
            case "float": return .float
            case "string": return .string
            case "object": return .anything
            case let name: return .named(name)
            }
        }
    }
}
