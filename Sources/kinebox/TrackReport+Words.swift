import MP4

extension TrackReport {
    /// "picture: H.264 High@4.0, 1280x720, 30 pictures a second, 300 frames, 10.0 s, 3.1 Mb/s".
    var words: String {
        var pieces = [codec]
        switch kind {
        case .video:
            pieces.append("\(width)x\(height)")
            if let rate { pieces.append(Self.words(forRate: rate)) }
        case .audio:
            pieces.append("\(sampleRate) Hz")
            pieces.append(channels == 1 ? "mono" : channels == 2 ? "stereo" : "\(channels) channels")
        default: break
        }
        pieces.append(Wording.count(sampleCount, kind == .video ? "frame" : "packet"))
        pieces.append(Wording.duration(nanoseconds: duration))
        pieces.append(Wording.bitrate(Int(clamping: bitrate)))
        let title = kind == .video ? "picture" : kind == .audio ? "sound" : "other"
        return "\(title)\(name.isEmpty ? "" : " \"\(name)\""): \(pieces.joined(separator: ", "))"
    }

    private static func words(forRate rate: String) -> String {
        let variable = ", variable"
        if rate.hasSuffix(variable) { return "\(rate.dropLast(variable.count)) frames a second on average" }
        return "\(rate) frame\(rate == "1" ? "" : "s") a second"
    }

    /// The same for programs.
    var json: JSONText {
        var members: [(String, JSONText)] = [
            ("kind", .text(kind.rawValue)), ("codec", .text(codec)), ("name", .text(name)),
            ("samples", .number(sampleCount)), ("duration_ns", .number(duration)), ("bitrate", .number(bitrate)),
        ]
        switch kind {
        case .video:
            members += [("width", .number(Int64(width))), ("height", .number(Int64(height)))]
            members.append(("rate", rate.map(JSONText.text) ?? .null))
        case .audio:
            members += [("sample_rate", .number(Int64(sampleRate))), ("channels", .number(Int64(channels)))]
        default: break
        }
        return .object(members)
    }
}
