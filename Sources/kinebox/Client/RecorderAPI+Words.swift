import Control
import Media

extension RecorderAPI.Clip {
    /// "/media/STICK/talk.mp4: 0:12:30, 1.2 GB, 2 files, "Anatomy"".
    var words: String {
        var pieces: [String] = []
        if let duration { pieces.append(Wording.duration(nanoseconds: duration)) }
        if let bytes { pieces.append(Wording.size(bytes)) }
        if let parts, parts > 1 { pieces.append("\(parts) files") }
        if let title = metadata?.title { pieces.append("\"\(title)\"") }
        if isWhole == false { pieces.append("not finished") }
        return pieces.isEmpty ? path : "\(path): \(pieces.joined(separator: ", "))"
    }
}

extension RecorderAPI.Medium {
    /// "STICK: ready, chosen, 3:20:00 left, 9.0 GB of 32.0 GB free, exfat, at /media/kinebox/STICK".
    var words: String {
        var pieces = [stateWords]
        if let room { pieces.append("\(Wording.clock(nanoseconds: room)) left") }
        if let freeBytes, let bytes { pieces.append("\(Wording.size(freeBytes)) of \(Wording.size(bytes)) free") }
        if let fileSystem { pieces.append(fileSystem) }
        if let path { pieces.append("at \(path)") }
        return "\(name): \(pieces.joined(separator: ", "))" + (problem.map { "; \($0.failure)" } ?? "")
    }

    private var stateWords: String {
        switch state {
        case .preparing: "being checked"
        case .ready: isChosen ? "ready, chosen" : "ready"
        case .full: "full"
        case .readOnly: "write protected"
        case .failed: "cannot be used"
        case .leaving: "being ejected, do not pull it yet"
        case .ejected: "can be pulled"
        }
    }
}

extension RecorderAPI.Signal {
    /// "1920x1080 at 59.94 pictures a second", "no cable".
    var words: String {
        switch state {
        case .unknown: "not known"
        case .noCable: "no cable"
        case .noSignal: "no signal"
        case .noLock: "no lock"
        case .outOfRange: "out of range"
        case .unplugged: "unplugged"
        case .off: "off"
        case .noScreen: "no screen"
        case .unreadable: "cannot be read"
        case .locked: shape.map(\.words) ?? "comes in"
        }
    }

    private var shape: SignalShape? {
        let numbers = rate?.split(separator: "/").compactMap { Int64($0) } ?? []
        guard let width, let height, numbers.count == 2, let rate = FrameRate(numbers[0], numbers[1]) else {
            return nil
        }
        return SignalShape(width: width, height: height, rate: rate, isInterlaced: isInterlaced ?? false)
    }
}

extension RecorderAPI.Warning {
    var words: String {
        switch self {
        case .space: "little room is left"
        case .drops: "pictures are being dropped"
        case .silence: "nothing is heard"
        case .clock: "the sound card's clock is far off"
        }
    }
}
