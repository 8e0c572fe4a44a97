import Capture
import Encoding
import Media
import Recorder
import V4L2

extension DeviceSurvey {
    var json: JSONText {
        let software = JSONText.object([
            ("name", .text("x264")), ("kind", .text("software")), ("state", .text("ready")),
        ])
        return .object([
            ("video", .list(video.map(\.json))), ("screens", .list(screens.map(\.json))),
            ("audio", .list(audio.map { .object($0.members) })),
            ("encoders", .list(encoders.map(\.json) + [software])),
            ("converters", .list(converters.map(\.json))),
        ])
    }
}

extension DeviceSurvey.Entry {
    fileprivate var json: JSONText {
        var members = device.members
        members.append(("device", .text(device.path)))
        if let signal = device.signal { members.append(("signal", .object(signal.members + colorMembers))) }
        if let way { members.append(("path", way.json)) }
        return .object(members)
    }

    private var colorMembers: [(String, JSONText)] {
        guard let color = device.color else { return [] }
        return [
            (
                "color",
                .object([
                    ("primaries", .number(Int64(color.primaries))), ("transfer", .number(Int64(color.transfer))),
                    ("matrix", .number(Int64(color.matrix))), ("full_range", .flag(color.isFullRange)),
                ])
            )
        ]
    }
}

extension DeviceSurvey.ScreenEntry {
    fileprivate var json: JSONText {
        var members: [(String, JSONText)] = [
            ("argument", .text(screen.argument)), ("connector", .text(screen.connector)), ("card", .text(screen.card)),
            ("state", .text(screen.word)),
        ]
        if case .denied(let failure) = screen.state { members.append(("cause", .text(failure.cause))) }
        if let mend = screen.mend { members.append(("mend", .text(mend))) }
        if let mode = screen.mode {
            members.append(
                (
                    "mode",
                    .object([
                        ("width", .number(Int64(mode.width))), ("height", .number(Int64(mode.height))),
                        ("rate", .text("\(mode.refresh.numerator)/\(mode.refresh.denominator)")),
                    ])
                ))
        }
        if let way { members.append(("path", way.json)) }
        return .object(members)
    }
}

extension DeviceSurvey.Way {
    fileprivate var json: JSONText {
        switch self {
        case .none(let failure):
            return .object([
                ("error", .object([("kind", .text(failure.kind.rawValue)), ("message", .text(failure.description))]))
            ])
        case .path(let path):
            var members: [(String, JSONText)] = [
                ("transfer", .text(path.transfer.word)), ("zero_copy", .flag(path.isZeroCopy)),
                ("reason", .text(path.reason)),
            ]
            if let format = path.captureFormat {
                members.append(("format", .text(V4L2Layout.name(format.fourcc))))
                members.append(("bytes_per_line", .number(Int64(format.planes[0].bytesPerLine))))
            }
            switch path.encoder {
            case .software: members.append(("encoder", .text("x264")))
            case .hardware(let hardware):
                members.append(("encoder", .text(hardware.card)))
                members.append(("encoder_device", .text(hardware.path)))
            }
            return .object(members)
        }
    }
}

extension VideoPath.Transfer {
    fileprivate var word: String {
        switch self {
        case .shared: "shared"
        case .lent: "lent"
        case .converter: "converter"
        case .processor: "processor"
        case .copied: "copied"
        case .process: "process"
        }
    }
}

extension SignalState {
    fileprivate var members: [(String, JSONText)] {
        if case .unreadable(let cause, _) = self { return [("state", .text("unreadable")), ("cause", .text(cause))] }
        guard case .locked(let shape) = self else { return [("state", .text(words))] }
        var members: [(String, JSONText)] = [("state", .text("locked"))]
        if let shape {
            members += [
                ("width", .number(Int64(shape.width))), ("height", .number(Int64(shape.height))),
                ("rate", .text("\(shape.rate.numerator)/\(shape.rate.denominator)")),
                ("interlaced", .flag(shape.isInterlaced)),
            ]
        }
        return members
    }
}

extension EncoderDescription {
    fileprivate var json: JSONText {
        .object([
            ("name", .text(card)), ("kind", .text("hardware")), ("state", .text("ready")), ("device", .text(path)),
            ("driver", .text(driver)), ("location", .text(bus)), ("multiplanar", .flag(inputType.isMultiplanar)),
            ("layouts", .list(inputs.map { .text(V4L2Layout.name($0)) })),
            ("sizes", sizes.map { .text($0.words) } ?? .null),
        ])
    }
}

extension ConverterDescription {
    fileprivate var json: JSONText {
        .object([
            ("name", .text(card)), ("device", .text(path)), ("driver", .text(driver)), ("location", .text(bus)),
            ("inputs", .list(inputs.map { .text(V4L2Layout.name($0)) })),
            ("outputs", .list(outputs.map { .text(V4L2Layout.name($0)) })),
        ])
    }
}
