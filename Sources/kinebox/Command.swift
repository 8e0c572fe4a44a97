import Media

/// Finds the command that was asked for and runs it.
enum Command {
    static let names =
        ["record", "devices", "check", "recover", "config", "bridge"] + ClientWord.allCases.map(\.rawValue)

    /// The options that a command takes; nil where there is no such command.
    static func options(of name: String) -> [Options.Declaration]? {
        switch name {
        case "record": RecordArguments.declared
        case "check": CheckCommand.declared
        case "devices": DevicesCommand.declared
        case "recover": RecoverCommand.declared
        case "config": ConfigCommand.declared
        case "bridge": BridgeCommand.declared
        default: ClientWord(rawValue: name)?.declared
        }
    }

    /// The daemon has a name of its own, and is the same program.
    /// - Parameter program: the name under which it was called.
    /// - Returns: the exit code.
    static func run(_ arguments: [String], as program: String = "kinebox") -> Int32 {
        var terminal = Terminal()
        let isDaemon = Daemon.name(of: program) == "kineboxd"
        let code = isDaemon ? runDaemon(arguments, &terminal) : run(arguments, &terminal)
        guard code == 0, let reason = terminal.resultFailure else { return code }
        terminal.tell("kinebox: cannot write the result to standard output: \(reason).")
        return FailureKind.internalFault.exitCode
    }

    private static func run(_ arguments: [String], _ terminal: inout Terminal) -> Int32 {
        guard let name = arguments.first else {
            terminal.tell(Help.overview)
            return FailureKind.invalidValue.exitCode
        }
        let rest = Array(arguments.dropFirst())
        // Bytes that are no UTF-8 arrive as this character: the name would be another one.
        if let argument = arguments.first(where: { $0.contains("\u{FFFD}") }) {
            let failure = Failure(
                .invalidName, "cannot use \(argument)", because: "its bytes are no UTF-8 text",
                mend: "Give it another name.")
            terminal.tell("kinebox: \(failure)")
            return failure.kind.exitCode
        }
        do throws(Failure) {
            switch name {
            case "record": return try RecordCommand.run(rest, &terminal)
            case "check": return try CheckCommand.run(rest, &terminal)
            case "devices": return try DevicesCommand.run(rest, &terminal)
            case "recover": return try RecoverCommand.run(rest, &terminal)
            case "config": return try ConfigCommand.run(rest, &terminal)
            case "panel": return try PanelCommand.run(rest, &terminal)
            case "medium": return try MediumCommand.run(rest, &terminal)
            case "--help", "-h", "help":
                terminal.print(Help.overview)
                return 0
            case "--version":
                terminal.print("kinebox \(Help.version)")
                return 0
            case "bridge": return try BridgeCommand.run(rest, &terminal)
            default:
                guard let word = ClientWord(rawValue: name) else { throw unknown(name) }
                return try ClientCommand.run(word, rest, &terminal)
            }
        } catch {
            terminal.tell("kinebox: \(error)")
            return error.kind.exitCode
        }
    }

    private static func runDaemon(_ arguments: [String], _ terminal: inout Terminal) -> Int32 {
        do throws(Failure) {
            return try DaemonCommand.run(arguments, &terminal)
        } catch {
            terminal.tell("kineboxd: \(error)")
            return error.kind.exitCode
        }
    }

    private static func unknown(_ name: String) -> Failure {
        let hint = Suggestion.nearest(name, among: names).map { " Did you mean kinebox \($0)?" } ?? ""
        return Failure(
            .invalidValue, "cannot run \(name)", because: "kinebox has no such command",
            mend: "See kinebox --help." + hint)
    }
}
