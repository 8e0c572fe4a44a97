import Control
import Media

/// `kinebox bridge [--socket PATH]`: joins standard input and output to the recorder's socket. This is what a command
/// with `--host` runs on the box, and it can be the only command that an ssh key may run.
enum BridgeCommand {
    static let declared = [
        Options.Declaration(name: "--socket", takesValue: true),
        Options.Declaration(name: "--help", takesValue: false),
    ]

    static func run(_ arguments: [String], _ terminal: inout Terminal) throws(Failure) -> Int32 {
        let options = try Options(arguments, of: "bridge", declared: declared)
        if options.has("--help") {
            terminal.print(help)
            return 0
        }
        if let operand = options.operands.first {
            throw Failure(
                .invalidValue, "cannot use \(operand)", because: "kinebox bridge takes options only",
                mend: "See kinebox bridge --help.")
        }
        let bridge = try Bridge(from: 0, to: 1, socketAt: options["--socket"] ?? RecorderServer.usualPath)
        bridge.run()
        return 0
    }

    private static let help = """
        usage: kinebox bridge [--socket PATH]

        Joins standard input and output to the recorder's socket, byte for byte, until either ends. Commands with
        --host [USER@]HOST run it on the box, through ssh. A line such as this in ~/.ssh/authorized_keys on the box lets
        the owner of a key use the recorder and nothing else:

          restrict,command="kinebox bridge" ssh-ed25519 AAAA... name
        """
}
