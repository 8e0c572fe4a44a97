import Control
import Glibc
import Media
import Panel
import Recorder

/// Values that are taken over.
extension ConfigurationForm {
    /// What a press can do while something is recorded.
    static let presses: [(word: String, meaning: RecorderPolicy.RecordButton)] = [
        ("stop", .pressStops), ("mark", .holdStops), ("nothing", .startsOnly),
    ]

    /// Takes a value over.
    /// - Parameters:
    ///   - isFirst: false for a list's further values.
    /// - Throws: `Failure` with cause and mend; the caller knows what it is about.
    func take(_ text: String, isFirst: Bool, into target: inout DaemonConfiguration) throws(Failure) {
        switch self {
        // `RecordArguments` has read these.
        case .option: break
        case .yesNo(let place): target[keyPath: place] = try Self.yesNo(text)
        case .time(let place, let range): target[keyPath: place] = try time(text, range)
        case .timeOrUsual(let place, let range): target[keyPath: place] = try time(text, range)
        case .bytes(let place, let range): target[keyPath: place] = Int64(try number(text, range))
        case .percent(let place):
            let digits = text.hasSuffix("%") ? String(text.dropLast()) : text
            target[keyPath: place] = try number(digits, 1...100)
        case .mode(let place):
            let isOctal = text.allSatisfy { $0.isASCII && $0.isNumber } && text.count >= 3
            guard isOctal, let mode = mode_t(text, radix: 8), mode <= 0o777 else {
                throw wrong("it is no permissions")
            }
            target[keyPath: place] = mode
        case .press(let place):
            guard let press = Self.presses.first(where: { $0.word == text }) else {
                throw wrong("a press cannot do that", Suggestion.mend(text, among: Self.presses.map(\.word)))
            }
            target[keyPath: place] = press.meaning
        case .path(let place):
            guard text.hasPrefix("/"), !text.hasSuffix("/") else { throw wrong("it is no such path") }
            target[keyPath: place] = text
        case .folder(let place): target[keyPath: place] = try folder(text)
        case .group(let place): target[keyPath: place] = try group(text)
        case .groups(let place):
            if isFirst { target[keyPath: place] = [] }
            for name in text.split(separator: " ") { target[keyPath: place].append(try group(String(name))) }
        case .media(let place):
            if isFirst { target[keyPath: place] = [] }
            target[keyPath: place].append(text)
        case .disks(let place):
            guard text.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }) else {
                throw wrong("it is no UUID", "Use one as blkid and kinebox media show it, such as 1234-ABCD.")
            }
            if isFirst { target[keyPath: place] = [] }
            target[keyPath: place].append(text)
        case .button(let place):
            if isFirst { target[keyPath: place] = [] }
            if text != "none" { target[keyPath: place].append(try WiringWords.button(text)) }
        case .recordLight(let place): target[keyPath: place] = try WiringWords.recordLight(text)
        case .mediumLight(let place): target[keyPath: place] = text == "none" ? nil : try WiringWords.light(text)
        }
    }

    private static func yesNo(_ text: String) throws(Failure) -> Bool {
        switch text.lowercased() {
        case "yes", "y", "true", "t", "on", "1": return true
        case "no", "n", "false", "f", "off", "0": return false
        default:
            throw Failure(
                .invalidValue, "", because: "it is neither yes nor no",
                mend: Suggestion.mend(text, among: ["yes", "no"]))
        }
    }

    private func time(_ text: String, _ range: ClosedRange<Int64>) throws(Failure) -> Int64 {
        guard let time = TimeSpan.nanoseconds(text) else {
            throw wrong("it is no length of time", "Use one such as 30, 30s, 500ms or 2min.")
        }
        guard range.contains(time) else { throw wrong("it is out of range") }
        return time
    }

    private func number(_ text: String, _ range: ClosedRange<Int>) throws(Failure) -> Int {
        guard let number = WholeNumber.value(text) else { throw wrong("it is no whole number") }
        guard range.contains(number) else { throw wrong("it is out of range") }
        return number
    }

    /// Each step of the path is a name that every file system takes.
    private func folder(_ text: String) throws(Failure) -> String {
        let steps = text.split(separator: "/", omittingEmptySubsequences: false)
        let isRight = steps.allSatisfy { step in
            !step.isEmpty && !step.hasPrefix(".") && !step.hasSuffix(".") && step.utf8.count <= 100
                && step.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || " -_.".contains($0)) }
        }
        guard isRight else {
            throw wrong(
                "not every medium can have such a folder",
                "Use letters without accents, digits, spaces, -, _ and dots, and / only between two names.")
        }
        return text
    }

    private func group(_ name: String) throws(Failure) -> String { try Group(named: name).name }

    private func wrong(_ cause: String, _ mend: String? = nil) -> Failure {
        Failure(.invalidValue, "", because: cause, mend: mend ?? "Use \(words).")
    }
}

/// Values that are written down.
extension ConfigurationForm {
    /// What would have to stand in a file to get what a configuration has, a line each; none where nothing would.
    func texts(of configuration: DaemonConfiguration) -> [String] {
        switch self {
        case .option(_, let usual, _): usual.isEmpty ? [] : [usual]
        case .yesNo(let place): [configuration[keyPath: place] ? "yes" : "no"]
        case .time(let place, _): [TimeSpan.words(configuration[keyPath: place])]
        case .timeOrUsual(let place, _): configuration[keyPath: place].map { [TimeSpan.words($0)] } ?? []
        case .bytes(let place, _): [WholeNumber.words(Int(configuration[keyPath: place]))]
        case .percent(let place): ["\(configuration[keyPath: place])"]
        case .mode(let place): ["0" + String(configuration[keyPath: place], radix: 8)]
        case .press(let place):
            Self.presses.filter { $0.meaning == configuration[keyPath: place] }.map(\.word)
        case .path(let place), .folder(let place), .group(let place):
            configuration[keyPath: place].isEmpty ? [] : [configuration[keyPath: place]]
        case .groups(let place):
            configuration[keyPath: place].isEmpty ? [] : [configuration[keyPath: place].joined(separator: " ")]
        case .media(let place), .disks(let place): configuration[keyPath: place]
        case .button(let place):
            configuration[keyPath: place].isEmpty ? ["none"] : configuration[keyPath: place].map(WiringWords.words)
        case .recordLight(let place): [WiringWords.words(configuration[keyPath: place])]
        case .mediumLight(let place): [configuration[keyPath: place].map(WiringWords.words) ?? "none"]
        }
    }
}
