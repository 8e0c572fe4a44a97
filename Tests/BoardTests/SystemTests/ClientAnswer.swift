import FoundationEssentials
import Judges

/// What `kinebox start --json` and `kinebox stop --json` print, so far as a test looks at it.
struct ClientAnswer: Decodable {
    struct Clip: Decodable {
        var path: String
        var medium: String
        var whole: Bool
        var bytes: Int64
    }

    struct Frames: Decodable {
        var captured: Int
        var dropped: Int
        var encoded: Int
    }

    struct Chapter: Decodable {
        var timeNs: Int64
        var label: String?
    }

    var path: String
    var clip: Clip?
    var files: [String]?
    var frames: Frames?
    var chapters: [Chapter]?
    var end: String?
    var requestedNs: Int64?
    var firstFrameNs: Int64?
    var lastFrameNs: Int64?

    init(_ ending: Ending) throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        self = try decoder.decode(Self.self, from: Data(ending.output))
    }
}
