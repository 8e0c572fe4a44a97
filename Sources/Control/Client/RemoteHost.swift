import Media

/// A machine that is reached through ssh.
public struct RemoteHost: Sendable, Equatable {
    /// What ssh takes: "HOST", "USER@HOST", or a name of its configuration.
    public let name: String
    /// The path of the recorder's socket there; nil for the usual one.
    public let socket: String?
    /// The program in the place of ssh, which is called as ssh is.
    public let program: String

    /// - Throws: `Failure` of kind invalidValue for what can be no host.
    public init(_ name: String, socket: String? = nil, program: String = "ssh") throws(Failure) {
        guard !name.isEmpty, !name.hasPrefix("-"), !name.contains(where: { $0.isWhitespace || $0 == "\0" }) else {
            // With a dash it would be an option, and there are some that run programs.
            throw Failure(
                .invalidValue, "cannot use --host \(name)", because: "no host is called so",
                mend: "Use HOST or USER@HOST, as for ssh.")
        }
        self.name = name
        self.socket = socket
        self.program = program
    }

    /// The arguments of ssh: no terminal, and the command that joins the connection to the socket.
    var arguments: [String] {
        [
            "-T", "-o", "ServerAliveInterval=5", "--", name,
            "kinebox bridge" + (socket.map { " --socket " + Self.quoted($0) } ?? ""),
        ]
    }

    /// A word as a shell takes it literally: ssh hands the command to one.
    private static func quoted(_ word: String) -> String {
        "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
