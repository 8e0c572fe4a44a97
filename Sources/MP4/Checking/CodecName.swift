import Media

/// What people call the codec of a track.
enum CodecName {
    /// "H.264 High@4.0", "AAC-LC"; the four characters of the sample description for what is not known.
    static func text(_ track: TrackLayout) -> String {
        guard let entry = track.entry else { return "nothing" }
        if let avc = entry.avc { return "H.264 " + profile(avc) + "@" + level(avc) }
        if let stream = entry.stream {
            switch stream.objectType {
            case 0x40: return entry.audio.map { sound($0) } ?? "MPEG-4 audio"
            case 0x69, 0x6B: return "MP3"
            default: break
            }
        }
        return entry.format.description
    }

    private static func profile(_ avc: AVCDecoderConfiguration) -> String {
        switch avc.profile {
        case 66: avc.compatibility & 0x40 != 0 ? "Constrained Baseline" : "Baseline"
        case 77: "Main"
        case 88: "Extended"
        case 100: "High"
        case 110: "High 10"
        case 122: "High 4:2:2"
        case 244: "High 4:4:4 Predictive"
        default: "profile \(avc.profile)"
        }
    }

    private static func level(_ avc: AVCDecoderConfiguration) -> String {
        // Level 1b is spelt in two ways (Rec. ITU-T H.264, A.3.1).
        let isOneB = avc.level == 9 || (avc.level == 11 && avc.profile < 100 && avc.compatibility & 0x10 != 0)
        return isOneB ? "1b" : "\(avc.level / 10).\(avc.level % 10)"
    }

    private static func sound(_ audio: AudioSpecificConfiguration) -> String {
        switch audio.objectType {
        case 1: "AAC Main"
        case 2: "AAC-LC"
        case 5: "HE-AAC"
        case 29: "HE-AAC v2"
        case 42: "xHE-AAC"
        default: "MPEG-4 audio \(audio.objectType)"
        }
    }
}
