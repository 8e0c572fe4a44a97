import FoundationEssentials
import Judges

/// What `kinebox devices --json` prints, as far as tests look at it.
struct DevicesAnswer: Decodable {
    struct Input: Decodable {
        struct Signal: Decodable {
            var state: String
            var width: Int?
            var height: Int?
            var rate: String?
        }

        struct Path: Decodable {
            var transfer: String
            var reason: String
            var encoder: String
        }

        var location: String
        var state: String
        var device: String
        var signal: Signal?
        var path: Path?
    }

    struct Encoder: Decodable {
        var name: String
        var kind: String
        var state: String
    }

    var video: [Input]
    var encoders: [Encoder]

    /// Runs the command.
    static func read(_ options: [String] = []) throws -> DevicesAnswer {
        let ending = try Kinebox.start(["devices", "--json"] + options).wait()
        return try JSONDecoder().decode(DevicesAnswer.self, from: Data(ending.output))
    }
}
