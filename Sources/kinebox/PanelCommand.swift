import Glibc
import Media
import Panel

/// `kinebox panel abandon`: what the recorder's unit calls once the recorder has ended, whatever it died of, and with all
/// its processes. It is not for people, and not in the overview.
enum PanelCommand {
    static func run(_ arguments: [String], _ terminal: inout Terminal) throws(Failure) -> Int32 {
        let options = try Options(
            arguments, of: "panel",
            declared: [
                Options.Declaration(name: "--config", takesValue: true),
                Options.Declaration(name: "--help", takesValue: false),
            ])
        if options.has("--help") {
            terminal.print(Help.panel)
            return 0
        }
        guard options.operands == ["abandon"] else {
            throw Failure(
                .invalidValue, "cannot do anything with the panel", because: "a verb is needed",
                mend: "See kinebox panel --help.")
        }
        // A recorder that was told to end has made its lights dark, and nobody has to look.
        if let result = getenv("SERVICE_RESULT"), String(cString: result) == "success" { return 0 }
        Lights.abandon(configuration(options["--config"]).panel.lights)
        return 0
    }

    /// Where the configuration is what is wrong, the usual lights tell of it.
    private static func configuration(_ path: String?) -> DaemonConfiguration {
        do throws(Failure) { return try DaemonConfiguration(reading: path) } catch { return DaemonConfiguration() }
    }
}
