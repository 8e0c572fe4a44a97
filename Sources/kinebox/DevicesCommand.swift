import Capture
import Media

/// `kinebox devices [--json]`
enum DevicesCommand {
    static func run(_ arguments: [String], _ terminal: inout Terminal) throws(Failure) -> Int32 {
        let options = try Options(
            arguments, of: "devices",
            declared: [
                Options.Declaration(name: "--json", takesValue: false),
                Options.Declaration(name: "--help", takesValue: false),
            ])
        if options.has("--help") {
            terminal.print(Help.devices)
            return 0
        }
        if let operand = options.operands.first {
            throw Failure(
                .invalidValue, "cannot use \(operand)", because: "kinebox devices lists all devices",
                mend: "Leave it out.")
        }
        let (video, audio) = (DeviceList.video(), DeviceList.audio())
        if options.has("--json") {
            terminal.print(
                JSONText.object([
                    ("video", .list(video.map(\.json))), ("audio", .list(audio.map(\.json))),
                    (
                        "encoders",
                        .list([
                            .object([("name", .text("x264")), ("kind", .text("software")), ("state", .text("ready"))])
                        ])
                    ),
                ]).description())
            return 0
        }
        list("Picture (--video)", video, "nothing is attached; --video test gives a test picture", &terminal)
        list("Sound (--audio)", audio, "nothing is attached; --audio tone gives a test tone", &terminal)
        terminal.print("Encoder (--encoder)\n  software  x264: ready")
        return 0
    }

    private static func list(_ title: String, _ devices: [CaptureDevice], _ nothing: String, _ terminal: inout Terminal)
    {
        terminal.print(title)
        if devices.isEmpty { terminal.print("  \(nothing)") }
        for device in devices {
            let location = device.location.isEmpty ? "" : ", \(device.location)"
            terminal.print("  \(device.argument)  \(device.card)\(location): \(device.state.words)")
            for line in grouped(device.formats) { terminal.print("      \(line)") }
        }
    }
}

extension DevicesCommand {
    /// A line for each layout of samples: its name and its first four sizes.
    static func grouped(_ formats: [String]) -> [String] {
        var order: [Substring] = []
        var sizes: [Substring: [Substring]] = [:]
        for format in formats {
            let pieces = format.split(separator: " ", maxSplits: 1)
            guard let layout = pieces.first else { continue }
            if sizes[layout] == nil { order.append(layout) }
            sizes[layout, default: []].append(pieces.count > 1 ? pieces[1] : "")
        }
        return order.map { layout in
            let all = sizes[layout] ?? []
            let more = all.count > 4 ? " and \(all.count - 4) more" : ""
            return "\(layout)  \(all.prefix(4).joined(separator: "; "))\(more)"
        }
    }
}

extension CaptureDevice {
    /// Why the device cannot be recorded from now.
    var refusal: Failure {
        let thing = "cannot record from \(card)"
        let test = "\(argument.isEmpty ? "" : "See kinebox devices. ")--video test records a test picture."
        switch state {
        case .ready: return Failure(.internalFault, thing, because: "it was ready a moment ago", mend: "Try again.")
        case .busy:
            return Failure(
                .noSource, thing, because: "another program is using it", mend: "Close that program. " + test)
        case .denied(let mend): return Failure(.noSource, thing, because: "this user may not", mend: mend)
        case .noSignal:
            return Failure(
                .noSignal, thing, because: "no signal comes in",
                mend: "Look after the cable and the device that sends the picture. " + test)
        }
    }

    fileprivate var json: JSONText {
        var members: [(String, JSONText)] = [
            ("argument", .text(argument)), ("card", .text(card)), ("location", .text(location)),
            ("state", .text(state.word)),
        ]
        if case .denied(let mend) = state { members.append(("mend", .text(mend))) }
        members.append(("formats", .list(formats.map(JSONText.text))))
        return .object(members)
    }
}

extension CaptureDevice.State {
    fileprivate var word: String {
        switch self {
        case .ready: "ready"
        case .busy: "busy"
        case .denied: "denied"
        case .noSignal: "no signal"
        }
    }

    fileprivate var words: String {
        if case .denied(let mend) = self { return "denied. \(mend)" }
        return word
    }
}
