import Capture
import Encoding
import Media
import Recorder
import V4L2

/// `kinebox devices [--json]`
enum DevicesCommand {
    static let declared = [
        Options.Declaration(name: "--json", takesValue: false),
        Options.Declaration(name: "--config", takesValue: true),
        Options.Declaration(name: "--help", takesValue: false),
    ]

    static func run(_ arguments: [String], _ terminal: inout Terminal) throws(Failure) -> Int32 {
        let options = try Options(arguments, of: "devices", declared: declared)
        if options.has("--help") {
            terminal.print(Help.devices)
            return 0
        }
        if let operand = options.operands.first {
            throw Failure(
                .invalidValue, "cannot use \(operand)", because: "kinebox devices lists all devices",
                mend: "Leave it out.")
        }
        let wanted = try RecordArguments(configuration: try Configuration(reading: options["--config"]))
        let survey = DeviceSurvey(encoder: wanted.encoder, codes: wanted.pixelFormat, screenTurn: wanted.screenTurn)
        if options.has("--json") {
            terminal.print(survey.json.description())
        } else {
            show(survey, &terminal)
        }
        return 0
    }

    private static func show(_ survey: DeviceSurvey, _ terminal: inout Terminal) {
        terminal.print("Picture (--video)")
        if survey.video.isEmpty { terminal.print("  nothing is attached; --video test gives a test picture") }
        for entry in survey.video {
            show(entry.device, &terminal)
            if let way = entry.way { terminal.print("      a recording: \(way.words)") }
        }
        terminal.print("Screen (--video screen:CONNECTOR)")
        if survey.screens.isEmpty { terminal.print("  this board has no connector for a display") }
        for entry in survey.screens {
            terminal.print("  \(entry.screen.argument)  \(entry.screen.card): \(entry.screen.words)")
            if let mode = entry.screen.modeWords { terminal.print("      shows \(mode)") }
            if let way = entry.way { terminal.print("      a recording: \(way.words)") }
        }
        terminal.print("Sound (--audio)")
        if survey.audio.isEmpty { terminal.print("  nothing is attached; --audio tone gives a test tone") }
        for device in survey.audio { show(device, &terminal) }
        terminal.print("Encoder (--encoder)")
        for encoder in survey.encoders {
            terminal.print("  hardware  \(encoder.card), \(encoder.bus): ready")
            terminal.print("      \(encoder.words)")
        }
        terminal.print("  software  x264: ready")
        if !survey.converters.isEmpty { terminal.print("Converter") }
        for converter in survey.converters {
            let (inputs, outputs) = (names(converter.inputs), names(converter.outputs))
            terminal.print("  \(converter.card), \(converter.bus): ready\n      \(inputs) to \(outputs)")
        }
    }

    private static func show(_ device: CaptureDevice, _ terminal: inout Terminal) {
        let location = device.location.isEmpty ? "" : ", \(device.location)"
        terminal.print("  \(device.argument)  \(device.card)\(location): \(device.words)")
        if let signal = device.signalWords { terminal.print("      gives \(signal)") }
        for line in grouped(device.formats) { terminal.print("      \(line)") }
    }

    /// "NV12, YU12".
    static func names(_ codes: [UInt32]) -> String { codes.map(V4L2Layout.name).joined(separator: ", ") }

    /// A line for the layouts of samples that come in the same sizes: their names, and the first four sizes.
    static func grouped(_ formats: [String]) -> [String] {
        var order: [Substring] = []
        var sizes: [Substring: [Substring]] = [:]
        for format in formats {
            let pieces = format.split(separator: " ", maxSplits: 1)
            guard let layout = pieces.first else { continue }
            if sizes[layout] == nil { order.append(layout) }
            sizes[layout, default: []].append(pieces.count > 1 ? pieces[1] : "")
        }
        var lines: [(layouts: [Substring], sizes: [Substring])] = []
        for layout in order {
            let own = sizes[layout] ?? []
            if let line = lines.firstIndex(where: { $0.sizes == own }) {
                lines[line].layouts.append(layout)
            } else {
                lines.append(([layout], own))
            }
        }
        return lines.map { line in
            let more = line.sizes.count > 4 ? " and \(line.sizes.count - 4) more" : ""
            let layouts = line.layouts.joined(separator: ", ")
            return "\(layouts)  \(line.sizes.prefix(4).joined(separator: "; "))\(more)"
        }
    }
}
