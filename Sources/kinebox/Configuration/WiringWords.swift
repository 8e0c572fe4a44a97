import Media
import Panel

/// How buttons and lights are written: "key:RECORD@Foot switch", "line:GPIO17,active-low,pull-up", "led:red:record".
enum WiringWords {
    static let buttonForms = ["key:NAME", "key:NAME@DEVICE", "line:NAME[,active-low][,pull-up]", "none"]
    static let lightForms = ["led:NAME", "line:NAME[,active-low]"]

    // MARK: - Buttons

    /// A button's contact.
    /// - Throws: `Failure` with cause and mend.
    static func button(_ text: String) throws(Failure) -> ButtonWiring.Place {
        let (kind, rest) = divided(text)
        switch kind {
        case "key": return try key(rest)
        case "line":
            let pieces = pieces(rest)
            return .line(try address(pieces.first ?? ""), try sense(pieces.dropFirst()))
        default: throw unknown(text, among: ["key", "line"], forms: buttonForms)
        }
    }

    /// A contact as `button(_:)` reads it.
    static func words(_ place: ButtonWiring.Place) -> String {
        switch place {
        case .key(let key, let device, _):
            let name = key.description.hasPrefix("KEY_") ? String(key.description.dropFirst(4)) : key.description
            return "key:\(name)" + (device.map { "@\($0)" } ?? "")
        case .line(let address, let sense):
            let bias = sense.bias == .asIs ? "" : ",\(sense.bias.rawValue)"
            return "line:\(address)" + (sense.isActiveLow ? ",active-low" : "") + bias
        }
    }

    private static func key(_ text: Substring) throws(Failure) -> ButtonWiring.Place {
        let pieces = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(pieces[0])
        guard let key = KeyCode(named: name) else {
            let known = KeyCode.names.map { $0.hasPrefix("KEY_") ? String($0.dropFirst(4)) : $0 }
            let hint = Suggestion.nearest(name, among: known).map { "Did you mean key:\($0)? " } ?? ""
            throw wrong(
                name.isEmpty ? "it names no key" : "no key is called \(name)",
                hint + "Use a name such as RECORD or F13, or its number, as evtest shows it.")
        }
        if pieces.count == 2 && pieces[1].isEmpty {
            throw wrong("behind @ stands no device", "Name the device as evtest shows it, or leave @ out.")
        }
        return .key(key, device: pieces.count == 2 ? String(pieces[1]) : nil, isExclusive: true)
    }

    private static func sense(_ words: ArraySlice<Substring>) throws(Failure) -> LineSense {
        var sense = LineSense()
        for word in words {
            if let bias = LineSense.Bias(rawValue: String(word)) {
                sense.bias = bias
            } else if let isLow = level(word) {
                sense.isActiveLow = isLow
            } else {
                let known = ["active-low", "active-high"] + LineSense.Bias.allCases.map(\.rawValue)
                throw wrong("no line can be \(word)", Suggestion.mend(String(word), among: known))
            }
        }
        return sense
    }

    // MARK: - Lights

    /// One light.
    /// - Throws: `Failure` with cause and mend.
    static func light(_ text: String) throws(Failure) -> LightWiring {
        let (kind, rest) = divided(text)
        switch kind {
        case "led":
            guard !rest.isEmpty, !rest.contains("/"), rest != ".", rest != ".." else {
                throw wrong("that is no light's name", "Use a name of /sys/class/leds, such as led:red:record.")
            }
            return .led(String(rest))
        case "line":
            let pieces = pieces(rest)
            var isActiveLow = false
            for word in pieces.dropFirst() {
                guard let isLow = level(word) else {
                    throw wrong(
                        "no light can be \(word)", Suggestion.mend(String(word), among: ["active-low", "active-high"]))
                }
                isActiveLow = isLow
            }
            return .line(try address(pieces.first ?? ""), isActiveLow: isActiveLow)
        default: throw unknown(text, among: ["led", "line", "rgb"], forms: lightForms)
        }
    }

    /// A light as `light(_:)` reads it.
    static func words(_ light: LightWiring) -> String {
        switch light {
        case .led(let name): "led:\(name)"
        case .line(let address, let isActiveLow): "line:\(address)" + (isActiveLow ? ",active-low" : "")
        }
    }

    /// The recording light: one, or three colours in one place ("rgb:led:r,led:g,led:b").
    /// - Throws: `Failure` with cause and mend.
    static func recordLight(_ text: String) throws(Failure) -> LightConfiguration.Recording {
        if text == "none" { return .none }
        let (kind, rest) = divided(text)
        guard kind == "rgb" else { return .single(try light(text)) }
        // What stands behind a line's comma belongs to it, unless it begins another light.
        var texts: [String] = []
        for piece in pieces(rest) {
            if texts.isEmpty || piece.hasPrefix("led:") || piece.hasPrefix("line:") {
                texts.append(String(piece))
            } else {
                texts[texts.count - 1] += ",\(piece)"
            }
        }
        guard texts.count == 3 else {
            throw wrong(
                "it has \(Wording.count(Int64(texts.count), "light")) where three are needed",
                "Use rgb:led:RED,led:GREEN,led:BLUE.")
        }
        return .colors(red: try light(texts[0]), green: try light(texts[1]), blue: try light(texts[2]))
    }

    /// The recording light as `recordLight(_:)` reads it.
    static func words(_ light: LightConfiguration.Recording) -> String {
        switch light {
        case .none: "none"
        case .single(let wiring): words(wiring)
        case .colors(let red, let green, let blue): "rgb:\(words(red)),\(words(green)),\(words(blue))"
        }
    }

    // MARK: - Inside

    /// "key" and "RECORD" of "key:RECORD".
    private static func divided(_ text: String) -> (kind: String, rest: Substring) {
        guard let colon = text.firstIndex(of: ":") else { return (text, "") }
        return (String(text[..<colon]), text[text.index(after: colon)...])
    }

    private static func pieces(_ text: Substring) -> [Substring] {
        text.split(separator: ",", omittingEmptySubsequences: false)
    }

    private static func address(_ text: Substring) throws(Failure) -> LineAddress {
        guard let address = LineAddress(String(text)) else {
            throw wrong("it names no line", "Use a line's name, such as line:GPIO17, or its chip and place on it.")
        }
        return address
    }

    private static func level(_ word: Substring) -> Bool? {
        word == "active-low" ? true : word == "active-high" ? false : nil
    }

    private static func unknown(_ text: String, among kinds: [String], forms: [String]) -> Failure {
        let hint = Suggestion.nearest(divided(text).kind, among: kinds).map { "Did you mean \($0):? " } ?? ""
        return wrong("that is none", hint + "Use one of \(forms.joined(separator: ", ")).")
    }

    private static func wrong(_ cause: String, _ mend: String) -> Failure {
        Failure(.invalidValue, "", because: cause, mend: mend)
    }
}

extension LightConfiguration {
    /// All lights that it names.
    var all: [LightWiring] {
        let recording: [LightWiring] =
            switch recording {
            case .none: []
            case .single(let light): [light]
            case .colors(let red, let green, let blue): [red, green, blue]
            }
        return recording + (medium.map { [$0] } ?? [])
    }
}
