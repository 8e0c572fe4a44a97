import Media

/// `kinebox config`: what the configuration says, and whether all of it is right.
enum ConfigCommand {
    static let declared = [
        Options.Declaration(name: "--check", takesValue: false),
        Options.Declaration(name: "--sample", takesValue: false),
        Options.Declaration(name: "--manual", takesValue: false),
        Options.Declaration(name: "--help", takesValue: false),
    ]

    static func run(_ arguments: [String], _ terminal: inout Terminal) throws(Failure) -> Int32 {
        let options = try Options(arguments, of: "config", declared: declared)
        if options.has("--help") {
            terminal.print(Help.config)
            return 0
        }
        if let second = options.operands.dropFirst().first {
            throw Failure(
                .invalidValue, "cannot use \(second)", because: "kinebox config takes one FILE",
                mend: "See kinebox config --help.")
        }
        if options.has("--sample") {
            terminal.print(String(ConfigurationSample.text.dropLast()))
        } else if options.has("--manual") {
            terminal.print(String(ConfigurationManual.text.dropLast()))
        } else {
            let configuration = try Configuration(reading: options.operands.first)
            // Whatever is wrong in it is told here.
            _ = try DaemonConfiguration(configuration)
            if !options.has("--check") { for line in lines(configuration) { terminal.print(line) } }
        }
        return 0
    }

    /// What counts, in the form of a file: with the place of what stands somewhere, and with the usual values as remarks.
    static func lines(_ configuration: Configuration) -> [String] {
        let usual = DaemonConfiguration()
        var lines: [String] = []
        for section in ConfigurationSection.allCases {
            lines += (lines.isEmpty ? [] : [""]) + ["[\(section.rawValue)]"]
            for key in ConfigurationKey.all where key.section == section {
                let settings = configuration[key]
                for setting in settings { lines += ["# \(setting.place)", "\(key.name)=\(setting.value)"] }
                guard settings.isEmpty else { continue }
                let values = key.form.texts(of: usual)
                lines += (values.isEmpty ? [""] : values).map { "#\(key.name)=\($0)" }
            }
        }
        return lines
    }
}
