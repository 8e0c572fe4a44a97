import Control
import Glibc
import Media

/// What a command to a recorder was asked for, checked before anything is connected.
struct ClientOptions {
    let place: RecorderPlace
    /// Whether programs read what is printed.
    let isJSON: Bool
    /// The one operand.
    let operand: String?
    let options: Options

    /// - Throws: `Failure` of kind invalidValue that names what cannot be.
    init(_ options: Options, _ word: ClientWord) throws(Failure) {
        self.options = options
        place = try Self.place(options)
        isJSON = options.has("--json")
        operand = options.operands.first
        let surplus = options.operands.dropFirst(word.operand == nil ? 0 : 1).first
        if let surplus {
            throw Failure(
                .invalidValue, "cannot use \(surplus)",
                because: word.operand.map { "kinebox \(word.rawValue) takes one \($0)" }
                    ?? "kinebox \(word.rawValue) takes options only",
                mend: word.operand.map { "Put a \($0) of several words in quotation marks." }
                    ?? "See kinebox \(word.rawValue) --help.")
        }
        if word.needsOperand && operand == nil {
            throw Failure(
                .invalidValue, "cannot \(word.rawValue)", because: "the \(word.operand ?? "operand") is missing",
                mend: "See kinebox \(word.rawValue) --help.")
        }
    }

    /// What is said of a recording.
    var metadata: RecorderAPI.Metadata {
        RecorderAPI.Metadata(title: options["--title"], author: options["--author"], comment: options["--comment"])
    }

    /// The seconds that a text means.
    /// - Throws: `Refusal` of kind invalidValue for what is no length of time.
    static func seconds(_ text: String, _ option: String) throws(Refusal) -> Double {
        do throws(Failure) {
            return Double(try RecordArguments.seconds(text, option, least: 1_000_000)) / 1_000_000_000
        } catch {
            throw Refusal(error)
        }
    }

    /// Connects to the recorder.
    func connect() throws(Refusal) -> RecorderClient {
        do throws(Failure) {
            return try RecorderClient(place)
        } catch {
            throw Refusal(error)
        }
    }

    private static func place(_ options: Options) throws(Failure) -> RecorderPlace {
        let socket = options["--socket"]
        guard let host = options["--host"] else { return .socket(socket ?? RecorderServer.usualPath) }
        // As git has GIT_SSH: another program that is called as ssh is.
        let program = getenv("KINEBOX_SSH").map { String(cString: $0) } ?? "ssh"
        return .host(try RemoteHost(host, socket: socket, program: program))
    }
}
