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
                mend: "See kinebox \(word.rawValue) --help.")
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
