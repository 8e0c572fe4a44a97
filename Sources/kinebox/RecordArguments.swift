import Encoding
import Media
import Pixels
import Recorder
import V4L2

/// What `kinebox record` was asked for, checked: nothing is opened or created before all of it is right.
struct RecordArguments: Sendable, Equatable {
    /// Where the picture comes from.
    enum Video: Sendable, Equatable {
        case automatic
        case testPattern
        case standardInput
        /// What a screen of the board shows, by its connector; nil for the one that is lit.
        case screen(String?)
        case device(String)
    }

    /// Where a sound track comes from.
    enum Audio: Sendable, Equatable {
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
    /// Bits a second of each sound track; nil for the usual rate of its channels.
    var audioBitrate: Int?
    var encoder = EncoderPreference.automatic
    var signalLoss = SignalLossPolicy.slate
    /// How a screen's picture is turned; nil so that it is upright for who looks at the display.
    var screenTurn: Turn?
    /// The codes of which the source is to give one (V4L2_PIX_FMT_…); nil for any.
    var pixelFormat: [UInt32]?
    /// What an HDMI input tells its source; nil to leave it as it is.
    var edid: EDID?
    var preset = SoftwareEncoder.Preset.automatic
    /// Threads of the software encoder; 0 for as many as the machine's cores suggest.
    var threads = 0
    /// Nanoseconds; nil for no end.
    var duration: Int64?
    var splits = SplitLimits()
    /// What names that are made here begin with.
    var namePrefix = ""
    var output = ""

    /// Width and height in pixels.
    struct Size: Sendable, Equatable {
        var width: Int
        var height: Int
    }

    static let declared = [
        Options.Declaration(name: "--video", takesValue: true),
        Options.Declaration(name: "--audio", takesValue: true, isRepeatable: true),
        Options.Declaration(name: "--encoder", takesValue: true),
        Options.Declaration(name: "--pixel-format", takesValue: true),
        Options.Declaration(name: "--edid", takesValue: true),
        Options.Declaration(name: "--signal-loss", takesValue: true),
        Options.Declaration(name: "--screen-turn", takesValue: true),
        Options.Declaration(name: "--size", takesValue: true),
        Options.Declaration(name: "--rate", takesValue: true),
        Options.Declaration(name: "--bitrate", takesValue: true),
        Options.Declaration(name: "--audio-bitrate", takesValue: true),
        Options.Declaration(name: "--preset", takesValue: true),
        Options.Declaration(name: "--threads", takesValue: true),
        Options.Declaration(name: "--duration", takesValue: true),
        Options.Declaration(name: "--split-size", takesValue: true),
        Options.Declaration(name: "--split-duration", takesValue: true),
        Options.Declaration(name: "--name-prefix", takesValue: true),
        Options.Declaration(name: "--config", takesValue: true),
        Options.Declaration(name: "--help", takesValue: false),
    ]

    /// The usual values, and no place to record to.
    init() {}

    /// - Parameters:
    ///   - options: the command line; it counts before the configuration.
    ///   - configuration: what stands in the configuration file.
    /// - Throws: `Failure` of kind invalidValue that names the option, or file, line and key, and what it takes.
    init(_ options: Options, _ configuration: Configuration = Configuration()) throws(Failure) {
        try self.init(configuration: configuration)
        for option in Self.declared where options.has(option.name) { try set(option.name, options.all(option.name)) }
        // A pipe says its size itself; that the file has one for devices is no contradiction.
        if video == .standardInput && !options.has("--size") { size = nil }
        if case .screen = video, options.has("--size") {
            throw Failure(
                .invalidValue, "cannot use --size with --video screen",
                because: "a screen is recorded as large as it is",
                mend: "Leave --size out.")
        }
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

    /// What the configuration alone asks for; there is no place to record to.
    /// - Throws: `Failure` of kind invalidValue that names file, line and key, and what it takes.
    init(configuration: Configuration) throws(Failure) {
        for key in ConfigurationKey.recording {
            let settings = configuration[key]
            guard let option = key.option, let last = settings.last else { continue }
            do throws(Failure) {
                try set(option, settings.map(\.value))
            } catch {
                throw last.refusal(error)
            }
        }
    }

    /// Takes an option's values over; those that have none are no settings.
    private mutating func set(_ option: String, _ values: [String]) throws(Failure) {
        let text = values.last ?? ""
        switch option {
        case "--video": video = try Self.video(text)
        case "--audio": audio = try Self.audio(values)
        case "--encoder": encoder = try Self.encoder(text)
        case "--pixel-format": pixelFormat = try Self.pixelFormat(text)
        case "--edid": edid = try EDIDLibrary.edid(text)
        case "--signal-loss": signalLoss = try Self.signalLoss(text)
        case "--screen-turn": screenTurn = try Self.screenTurn(text)
        case "--size": size = try Self.size(text)
        case "--rate": rate = try Self.rate(text)
        case "--bitrate": bitrate = try Self.whole(text, "--bitrate", "bits a second", 10_000...800_000_000)
        case "--audio-bitrate":
            audioBitrate = try Self.whole(text, "--audio-bitrate", "bits a second", 16_000...320_000)
        case "--preset": preset = try Self.preset(text)
        case "--threads": threads = try Self.whole(text, "--threads", "threads", 0...64)
        case "--duration": duration = try Self.seconds(text, "--duration", least: 1_000_000)
        case "--split-size": splits.byteCount = try Self.splitSize(text)
        case "--split-duration": splits.nanoseconds = try Self.splitDuration(text)
        case "--name-prefix": namePrefix = try Self.namePrefix(text)
        default: break
        }
    }
}
