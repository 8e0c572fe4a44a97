import KMS
import Media

/// What the command line asks for.
struct ServiceArguments {
    enum Wish {
        case help
        case version
        /// Show screens to a user's processes that connect to a socket; started on demand, until nobody has been connected
        /// for so many seconds.
        case serve(path: String, user: String, idle: Int32)
    }

    /// What is to be done.
    let wish: Wish

    static let help = """
        usage: kinebox-kms [--socket PATH] [--user NAME] [--idle SECONDS]

        Reads what this board's screens show, for a recorder that may not: the kernel shows it only to programs with the
        capability CAP_SYS_ADMIN. systemd starts it when the recorder asks for a screen.

          --socket PATH            where it is found; default \(ScreenClient.usualPath)
          --user NAME              the user whose programs, beside root's, may see the screens; default kinebox
          --idle SECONDS           without a recorder, until it ends where systemd starts it when it is needed; default 60
          --version

        SIGTERM ends it.
        """

    /// - Throws: `Failure` of kind invalidValue for what is no option, or lacks its value.
    init(_ arguments: some Sequence<String>) throws(Failure) {
        var (path, user, idle) = (ScreenClient.usualPath, "kinebox", Int32(60))
        var rest = Array(arguments)[...]
        while let word = rest.popFirst() {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
                String.init)
            switch parts.first {
            case "--socket": path = try Self.value(of: parts, &rest)
            case "--user": user = try Self.value(of: parts, &rest)
            case "--idle": idle = try Self.seconds(try Self.value(of: parts, &rest))
            case "--help" where parts.count == 1, "-h" where parts.count == 1:
                wish = .help
                return
            case "--version" where parts.count == 1:
                wish = .version
                return
            default:
                throw Failure(
                    .invalidValue, "cannot use \(word)", because: "there is no such option",
                    mend: "See kinebox-kms --help.")
            }
        }
        wish = .serve(path: path, user: user, idle: idle)
    }

    private static func seconds(_ text: String) throws(Failure) -> Int32 {
        guard let seconds = Int32(text), (1...86_400).contains(seconds) else {
            throw Failure(
                .invalidValue, "cannot wait \(text) for a recorder",
                because: "that is no number of seconds, 1 to 86400",
                mend: "See kinebox-kms --help.")
        }
        return seconds
    }

    private static func value(of parts: [String], _ rest: inout ArraySlice<String>) throws(Failure) -> String {
        let value = parts.count > 1 ? parts[1] : rest.popFirst()
        guard let value, !value.isEmpty else {
            throw Failure(
                .invalidValue, "cannot use \(parts[0])", because: "its value is missing",
                mend: "See kinebox-kms --help.")
        }
        return value
    }
}
