import MP4
import Media

/// `kinebox check FILE... [--json]`
enum CheckCommand {
    static let declared = [
        Options.Declaration(name: "--json", takesValue: false),
        Options.Declaration(name: "--help", takesValue: false),
    ]

    static func run(_ arguments: [String], _ terminal: inout Terminal) throws(Failure) -> Int32 {
        let options = try Options(arguments, of: "check", declared: declared)
        if options.has("--help") {
            terminal.print(Help.check)
            return 0
        }
        if options.operands.isEmpty {
            throw Failure(
                .invalidValue, "cannot check", because: "no file is named", mend: "Give the names of one or more files."
            )
        }
        var code: Int32 = 0
        var objects: [JSONText] = []
        for path in options.operands {
            do throws(Failure) {
                let report = try Checker.check(path: path)
                if !report.faults.isEmpty { code = max(code, 1) }
                if options.has("--json") {
                    objects.append(object(path, report))
                } else {
                    print(path, report, &terminal)
                }
            } catch {
                code = max(code, error.kind.exitCode)
                if options.has("--json") { objects.append(object(path, error)) }
                terminal.tell("kinebox: \(error)")
            }
        }
        if options.has("--json") { terminal.print(JSONText.list(objects).description()) }
        return code
    }

    private static func print(_ path: String, _ report: CheckReport, _ terminal: inout Terminal) {
        let verdict =
            report.faults.isEmpty ? "no fault found" : Wording.count(Int64(report.faults.count), "fault")
        terminal.print(
            "\(path): \(verdict), \(Wording.duration(nanoseconds: report.duration)), \(Wording.size(report.byteCount))")
        for track in report.tracks { terminal.print("  " + track.words) }
        if report.records > 0 {
            terminal.print("  " + Wording.count(Int64(report.records), "fragment") + " verified by checksum")
        }
        for fault in report.faults { terminal.print("  fault \(fault.code.rawValue): \(fault.message)") }
    }

    private static func object(_ path: String, _ report: CheckReport) -> JSONText {
        .object([
            ("file", .text(path)),
            ("state", .text(report.state.rawValue)),
            ("duration_ns", .number(report.duration)),
            ("bytes", .number(report.byteCount)),
            ("fragments_verified", .number(Int64(report.records))),
            ("tracks", .list(report.tracks.map(\.json))),
            (
                "faults",
                .list(
                    report.faults.map {
                        .object([("code", .text($0.code.rawValue)), ("message", .text($0.message))])
                    })
            ),
        ])
    }

    private static func object(_ path: String, _ failure: Failure) -> JSONText {
        .object([
            ("file", .text(path)),
            ("error", .object([("kind", .text(failure.kind.rawValue)), ("message", .text(failure.description))])),
        ])
    }
}
