import Capture
import Media
import Recorder
import Storage
import V4L2

/// The sources and the encoder of one recording, chosen from what was asked for and what is there.
struct SourceChoice: Sendable {
    /// "test picture and test tone".
    let words: String
    /// Where they are: what tells two devices of the same name apart.
    let places: [String]
    /// Whether the test picture stands in for a device that is not there.
    let isStandIn: Bool
    private let openVideo: @Sendable () throws(Failure) -> any VideoSource
    private let openAudio: [@Sendable () throws(Failure) -> any AudioSource]

    /// Chooses. Devices are looked at here and opened when the recording starts.
    /// - Throws: `Failure` of kind noSource or noSignal when what was asked for is not there or not usable.
    /// - Parameter waitsForSignal: whether a device without a signal will do.
    init(_ wanted: RecordArguments, waitsForSignal: Bool = false) throws(Failure) {
        let video = try Self.video(wanted, waitsForSignal: waitsForSignal)
        openVideo = video.open
        isStandIn = wanted.video == .automatic && video.kind == .testPattern
        var (names, places) = ([video.name], [video.place])
        var openers: [@Sendable () throws(Failure) -> any AudioSource] = []
        for audio in wanted.audio {
            guard let choice = try Self.audio(audio, for: video, rate: wanted.rate ?? .thirty) else { continue }
            names.append(choice.name)
            places.append(choice.place)
            openers.append(choice.open)
        }
        openAudio = openers
        words = names.joined(separator: " and ")
        self.places = places
    }

    /// The plan of a deck that recordings are made on, one after the other.
    func deckPlan(_ wanted: RecordArguments, isWarm: Bool) -> DeckPlan {
        DeckPlan(
            openVideo: openVideo, openAudio: openAudio, encoding: Self.encoding(wanted), rate: wanted.rate,
            audioBitrate: wanted.audioBitrate, signalLoss: wanted.signalLoss, isWarm: isWarm)
    }

    private static func encoding(_ wanted: RecordArguments) -> EncodingPlan {
        // What a capture device is to give says nothing of a screen.
        var codes = wanted.pixelFormat
        if case .screen = wanted.video { codes = nil }
        return EncodingPlan(
            preference: wanted.encoder, codes: codes, bitrate: wanted.bitrate, preset: wanted.preset,
            threads: wanted.threads)
    }

    /// The plan of the recording.
    func plan(_ wanted: RecordArguments, _ name: RecordingName) -> RecordingPlan {
        RecordingPlan(
            openVideo: openVideo, openAudio: openAudio, encoding: Self.encoding(wanted), name: name, rate: wanted.rate,
            audioBitrate: wanted.audioBitrate, duration: wanted.duration,
            splits: wanted.splits,
            signalLoss: wanted.signalLoss)
    }

    private struct Video {
        var kind: Kind
        var name: String
        /// The device's argument; the name of what is none.
        var place: String
        var open: @Sendable () throws(Failure) -> any VideoSource

        enum Kind {
            case testPattern
            case pipe
            case screen
            case device
        }
    }

    private struct Audio {
        var name: String
        /// As for pictures.
        var place: String
        var open: @Sendable () throws(Failure) -> any AudioSource
    }

    private static func video(_ wanted: RecordArguments, waitsForSignal: Bool) throws(Failure) -> Video {
        switch wanted.video {
        case .standardInput:
            if wanted.size != nil {
                throw Failure(
                    .invalidValue, "cannot use --size with --video -", because: "the stream says its size itself",
                    mend: "Leave --size out.")
            }
            return Video(kind: .pipe, name: "standard input", place: "-") { () throws(Failure) in
                try YUV4MPEG2Source(reading: 0, rate: wanted.rate, buffers: 2)
            }
        case .testPattern: return testPattern(wanted)
        case .screen(let connector): return screen(connector, wanted)
        case .automatic:
            let devices = DeviceList.video()
            if let ready = devices.first(where: { $0.state == .ready }) {
                return device(ready.argument, name: ready.card, wanted)
            }
            // An input that shows no EDID gets no signal; the one that was asked for may bring it.
            if wanted.edid != nil || waitsForSignal, let silent = devices.first(where: { $0.state == .noSignal }) {
                return device(silent.argument, name: silent.card, wanted)
            }
            // A test picture in place of the source that is attached would be no recording of it.
            if let device = devices.first { throw device.refusal }
            return testPattern(wanted)
        case .device(let name): return device(name, name: name, wanted)
        }
    }

    private static func device(_ argument: String, name: String, _ wanted: RecordArguments) -> Video {
        Video(kind: .device, name: name, place: argument) { () throws(Failure) in
            let layouts = wanted.pixelFormat?.compactMap { V4L2Layout.of($0)?.pixelFormat }
            let input = try HDMIInput(
                opening: argument, size: wanted.size.map { (width: $0.width, height: $0.height) }, rate: wanted.rate,
                layout: layouts?.first, edid: wanted.edid, drawsSlate: wanted.signalLoss == .slate)
            return try ConvertedSource(input)
        }
    }

    private static func screen(_ connector: String?, _ wanted: RecordArguments) -> Video {
        let argument = connector.map { "screen:\($0)" } ?? "screen"
        return Video(kind: .screen, name: connector.map { "screen \($0)" } ?? "the screen", place: argument) {
            () throws(Failure) in
            try ScreenAccess.look(for: connector)
            return try ConvertedSource(
                Screen(
                    reading: connector, reader: { () throws(Failure) in try ScreenAccess.reader(of: connector) },
                    rate: wanted.rate, turn: wanted.screenTurn, drawsSlate: wanted.signalLoss == .slate))
        }
    }

    private static func testPattern(_ wanted: RecordArguments) -> Video {
        let size = wanted.size ?? RecordArguments.Size(width: 1280, height: 720)
        return Video(kind: .testPattern, name: "test picture", place: "test") { () throws(Failure) in
            try TestPattern(width: size.width, height: size.height, rate: wanted.rate ?? .thirty)
        }
    }

    private static func audio(
        _ audio: RecordArguments.Audio, for video: Video, rate: FrameRate
    ) throws(Failure) -> Audio? {
        switch audio {
        case .automatic:
            switch video.kind {
            case .testPattern: return tone(rate)
            case .pipe: return nil
            case .screen, .device:
                let devices = DeviceList.audio().filter { $0.state == .ready }
                guard let device = devices.first(where: { $0.card == video.name }) ?? devices.first else { return nil }
                return sound(device.argument, name: device.card)
            }
        case .tone: return tone(rate)
        case .device(let name): return sound(name, name: name)
        }
    }

    private static func sound(_ argument: String, name: String) -> Audio {
        Audio(name: name, place: argument) { () throws(Failure) in try ALSAInput(opening: argument) }
    }

    private static func tone(_ rate: FrameRate) -> Audio {
        Audio(name: "test tone", place: "tone") { () throws(Failure) in TestTone(rate: rate) }
    }
}
