import Encoding
import Media
import Pixels
import Recorder
import V4L2

/// Options whose values are words.
extension RecordArguments {
    private static func wrong(_ option: String, _ value: String, _ cause: String, _ mend: String) -> Failure {
        Failure(.invalidValue, "cannot use \(option) \(value.isEmpty ? "\"\"" : value)", because: cause, mend: mend)
    }

    static func video(_ text: String) throws(Failure) -> Video {
        switch text {
        case "auto": return .automatic
        case "test": return .testPattern
        case "-": return .standardInput
        case "":
            throw wrong(
                "--video", text, "it names no source", "Use auto, test, screen, - or a device such as /dev/video0.")
        default:
            guard text.hasPrefix("screen") else { return .device(text) }
            if text == "screen" { return .screen(nil) }
            guard text.hasPrefix("screen:") else { return .device(text) }
            let connector = text.dropFirst("screen:".count)
            // Names of connectors are the kernel's: "HDMI-A-1", "DSI-1", "Virtual-1".
            guard !connector.isEmpty, connector.utf8.count <= 31,
                connector.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") })
            else {
                throw wrong(
                    "--video", text, "no connector has such a name",
                    "Use screen, or a screen of kinebox devices such as screen:HDMI-A-1.")
            }
            return .screen(String(connector))
        }
    }

    static func audio(_ texts: [String]) throws(Failure) -> [Audio] {
        if texts.contains("none") {
            if texts.count == 1 { return [] }
            throw wrong(
                "--audio", "none", "another source of sound stands beside it", "Use none alone, or leave it out.")
        }
        if texts.count > 4 {
            throw wrong("--audio", texts[4], "there can be four sound tracks", "Leave one out.")
        }
        var result: [Audio] = []
        for text in texts {
            switch text {
            case "":
                throw wrong(
                    "--audio", text, "it names no source", "Use auto, none, tone or a device of kinebox devices.")
            case "auto": result.append(.automatic)
            case "tone": result.append(.tone)
            default: result.append(.device(text))
            }
        }
        return result
    }

    static func encoder(_ text: String) throws(Failure) -> EncoderPreference {
        if let preference = EncoderPreference(rawValue: text) { return preference }
        let known = EncoderPreference.allCases.map(\.rawValue)
        throw wrong("--encoder", text, "there is no such encoder", Suggestion.mend(text, among: known))
    }

    static func signalLoss(_ text: String) throws(Failure) -> SignalLossPolicy {
        if let policy = SignalLossPolicy(rawValue: text) { return policy }
        let known = SignalLossPolicy.allCases.map(\.rawValue)
        throw wrong("--signal-loss", text, "there is no such policy", Suggestion.mend(text, among: known))
    }

    static func screenTurn(_ text: String) throws(Failure) -> Turn? {
        if text == "auto" { return nil }
        if let degrees = Int(text), let turn = Turn(rawValue: degrees) { return turn }
        throw wrong("--screen-turn", text, "a picture is turned by quarters", "Use auto, 0, 90, 180 or 270.")
    }

    /// A code of V4L2, "YU12", or a name of ours, "YUV420".
    static func pixelFormat(_ text: String) throws(Failure) -> [UInt32] {
        let name = text.uppercased()
        let layouts = V4L2Layout.all.filter { V4L2Layout.name($0.fourcc) == name }
        let ours = V4L2Layout.all.filter { $0.pixelFormat.rawValue == name }
        let codes = (layouts.isEmpty ? ours : layouts).map(\.fourcc)
        if !codes.isEmpty { return codes }
        let known = V4L2Layout.all.map { V4L2Layout.name($0.fourcc) }
        throw wrong("--pixel-format", text, "no layout of samples is called so", Suggestion.mend(name, among: known))
    }

    static func preset(_ text: String) throws(Failure) -> SoftwareEncoder.Preset {
        if text == "auto" { return .automatic }
        guard let effort = SoftwareEncoder.Effort(rawValue: text) else {
            let known = ["auto"] + SoftwareEncoder.Effort.allCases.map(\.rawValue)
            throw wrong("--preset", text, "there is no such preset", Suggestion.mend(text, among: known))
        }
        return .fixed(effort)
    }

    /// What names begin with: characters that every file system and every shell takes.
    static func namePrefix(_ text: String) throws(Failure) -> String {
        let isRight = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
        guard isRight, !text.hasPrefix("-"), text.utf8.count <= 40 else {
            throw wrong(
                "--name-prefix", text, "not every medium can have such a name",
                "Use letters without accents, digits, - and _, 40 at most, and no - in front.")
        }
        return text
    }
}
