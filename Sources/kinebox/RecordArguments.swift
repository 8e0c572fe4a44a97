import Encoding
import Media
import Recorder

/// What `kinebox record` was asked for, checked: nothing is opened or created before all of it is right.
struct RecordArguments: Equatable {
    /// Where the picture comes from.
    enum Video: Equatable {
        case automatic
        case testPattern
        case standardInput
        case device(String)
    }

    /// Where a sound track comes from.
    enum Audio: Equatable {
        case automatic
        case tone
        case device(String)
    }

    var video = Video.automatic
    /// A track each; empty for a recording without sound.
    var audio = [Audio.automatic]
    var size: Size?
    var rate: FrameRate?
    /// Bits a second of the picture; nil for the usual rate of its size.
    var bitrate: Int?
    var encoder = EncoderPreference.automatic
    var signalLoss = SignalLossPolicy.slate
    var preset = SoftwareEncoder.Preset.automatic
    /// Threads of the software encoder; 0 for as many as the machine's cores suggest.
    var threads = 0
    /// Nanoseconds; nil for no end.
    var duration: Int64?
    var splits = SplitLimits()
    var output = ""

    /// Width and height in pixels.
    struct Size: Equatable {
        var width: Int
        var height: Int
    }

    static let declared = [
        Options.Declaration(name: "--video", takesValue: true),
        Options.Declaration(name: "--audio", takesValue: true, isRepeatable: true),
        Options.Declaration(name: "--encoder", takesValue: true),
        Options.Declaration(name: "--size", takesValue: true),
        Options.Declaration(name: "--rate", takesValue: true),
        Options.Declaration(name: "--bitrate", takesValue: true),
        Options.Declaration(name: "--preset", takesValue: true),
        Options.Declaration(name: "--threads", takesValue: true),
        Options.Declaration(name: "--duration", takesValue: true),
        Options.Declaration(name: "--split-size", takesValue: true),
        Options.Declaration(name: "--split-duration", takesValue: true),
        Options.Declaration(name: "--help", takesValue: false),
    ]

    /// - Throws: `Failure` of kind invalidValue that names the option and what it takes.
    init(_ options: Options) throws(Failure) {
        if let text = options["--video"] { video = try Self.video(text) }
        if options.has("--audio") { audio = try Self.audio(options.all("--audio")) }
        if let text = options["--encoder"] { encoder = try Self.encoder(text) }
        if let text = options["--size"] { size = try Self.size(text) }
        if let text = options["--rate"] { rate = try Self.rate(text) }
        if let text = options["--bitrate"] {
            bitrate = Int(try Self.whole(text, "--bitrate", "bits a second", 10_000...800_000_000))
        }
        if let text = options["--preset"] { preset = try Self.preset(text) }
        if let text = options["--threads"] { threads = Int(try Self.whole(text, "--threads", "threads", 0...64)) }
        if let text = options["--duration"] { duration = try Self.seconds(text, "--duration", least: 0.001) }
        if let text = options["--split-size"] { splits.byteCount = try Self.splitSize(text) }
        if let text = options["--split-duration"] { splits.nanoseconds = try Self.splitDuration(text) }
        guard let first = options.operands.first, !first.isEmpty else {
            throw Failure(
                .invalidValue, "cannot record", because: "the place to record to is missing",
                mend: "Give a name that ends in .mp4, or a folder.")
        }
        if let second = options.operands.dropFirst().first {
            throw Failure(
                .invalidValue, "cannot use \(second)", because: "one place to record to was given already: \(first)",
                mend: "Give one name or folder.")
        }
        output = first
    }

    private static func wrong(_ option: String, _ value: String, _ cause: String, _ mend: String) -> Failure {
        Failure(.invalidValue, "cannot use \(option) \(value.isEmpty ? "\"\"" : value)", because: cause, mend: mend)
    }

    private static func video(_ text: String) throws(Failure) -> Video {
        switch text {
        case "auto": return .automatic
        case "test": return .testPattern
        case "-": return .standardInput
        case "":
            throw wrong("--video", text, "it names no source", "Use auto, test, - or a device such as /dev/video0.")
        default:
            if text == "screen" || text.hasPrefix("screen:") {
                throw Failure(
                    .noSource, "cannot record the screen", because: "this version cannot capture screens",
                    mend: "Use a device of kinebox devices, test or -.")
            }
            return .device(text)
        }
    }

    private static func audio(_ texts: [String]) throws(Failure) -> [Audio] {
        if texts.contains("none") {
            if texts.count == 1 { return [] }
            throw wrong("--audio", "none", "it stands beside another --audio", "Use none alone, or leave it out.")
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

    private static func encoder(_ text: String) throws(Failure) -> EncoderPreference {
        guard let preference = EncoderPreference(rawValue: text) else {
            throw wrong("--encoder", text, "there is no such encoder", "Use auto, hardware or software.")
        }
        return preference
    }

    private static func preset(_ text: String) throws(Failure) -> SoftwareEncoder.Preset {
        if text == "auto" { return .automatic }
        guard let effort = SoftwareEncoder.Effort(rawValue: text) else {
            let known = ["auto"] + SoftwareEncoder.Effort.allCases.map(\.rawValue)
            throw wrong("--preset", text, "there is no such preset", "Use one of \(known.joined(separator: ", ")).")
        }
        return .fixed(effort)
    }
}
