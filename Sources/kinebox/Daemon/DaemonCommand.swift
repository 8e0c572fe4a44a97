import Glibc
import Media

/// `kineboxd [--config FILE] [--check-config]`: the recorder as a service.
enum DaemonCommand {
    static let declared = [
        Options.Declaration(name: "--config", takesValue: true),
        Options.Declaration(name: "--check-config", takesValue: false),
        Options.Declaration(name: "--version", takesValue: false),
        Options.Declaration(name: "--help", takesValue: false),
    ]

    static func run(_ arguments: [String], _ terminal: inout Terminal) throws(Failure) -> Int32 {
        let options = try Options(arguments, of: "kineboxd", declared: declared)
        if options.has("--help") {
            terminal.print(Help.daemon)
            return 0
        }
        if options.has("--version") {
            terminal.print("kineboxd \(Help.version)")
            return 0
        }
        if let operand = options.operands.first {
            throw Failure(
                .invalidValue, "cannot use \(operand)", because: "kineboxd takes options only",
                mend: "See kineboxd --help.")
        }
        if options.has("--check-config") {
            _ = try DaemonConfiguration(reading: options["--config"])
            terminal.print("the configuration can be used")
            return 0
        }
        let daemon = try Daemon(configurationPath: options["--config"])
        try daemon.run()
        return 0
    }
}
