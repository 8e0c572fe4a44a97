import Judges
import Testing

@testable import kinebox

/// The manual pages say all that the programs take, and the programs that show manual pages take them.
@Suite("Manual pages")
struct ManualTests {
    private static let root = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
    private static let pages = ["kinebox.1", "kineboxd.8", "kinebox-kms.8", "kinebox.conf.5"]

    private static func page(_ name: String) throws -> String {
        String(decoding: try Folder.bytes(of: "\(root)/docs/man/\(name)"), as: UTF8.self)
    }

    /// A page as it is read, in one line, hyphens as they are typed.
    private static func text(_ name: String) throws -> String {
        let script = "MANWIDTH=1000 man -E ascii -l \"$0\" | col -bx | tr -s ' \\n' ' '"
        return try ChildProcess("bash", ["-c", script, "\(root)/docs/man/\(name)"]).wait().text
    }

    /// Whether this machine shows manual pages.
    private static let hasMan: Bool =
        (try? ChildProcess("bash", ["-c", "man --version && col --version"]).wait().exitCode) == 0

    @Test("man has nothing to object to", .enabled(if: hasMan, "man is not here"), arguments: pages)
    func warnings(name: String) throws {
        let script = "man --warnings -E UTF-8 -l \"$0\" >/dev/null"
        let ending = try ChildProcess("bash", ["-c", script, "\(Self.root)/docs/man/\(name)"]).wait()
        #expect(ending.exitCode == 0 && ending.errors.isEmpty, "\(ending)")
        #expect(try Self.page(name).contains("\"\(Help.date)\" \"Kinebox \(Help.version)\""))
    }

    @Test("every command and every option of it stands in the manual", .enabled(if: hasMan, "man is not here"))
    func options() throws {
        let manual = try Self.text("kinebox.1")
        for command in Command.names {
            #expect(manual.contains("kinebox \(command)") || manual.contains("| \(command)"), "\(command)")
            for option in try #require(Command.options(of: command)) {
                #expect(manual.contains("\(option.name) ") || manual.contains("\(option.name)]"), "\(option.name)")
            }
        }
    }

    @Test("every option of the daemon stands in its manual and its help", .enabled(if: hasMan, "man is not here"))
    func daemon() throws {
        let manual = try Self.text("kineboxd.8")
        for option in DaemonCommand.declared {
            #expect(manual.contains("\(option.name) "), "\(option.name)")
            #expect(option.name == "--help" || Help.daemon.contains("  \(option.name)"), "\(option.name)")
        }
    }

    @Test("the privileged program's help and its manual have the same options", .enabled(if: hasMan, "man is not here"))
    func privilegedProgram() throws {
        func options(in text: String) -> Set<Substring> {
            Set(text.split { !($0.isLetter || $0 == "-") }.filter { $0.hasPrefix("--") && $0.count > 2 })
        }
        let help = try ChildProcess(Kinebox.screensPath, ["--help"]).wait()
        #expect(help.exitCode == 0 && options(in: help.text).isSuperset(of: ["--socket", "--user", "--version"]))
        #expect(options(in: help.text).union(["--help"]) == options(in: try Self.text("kinebox-kms.8")))
        let version = try ChildProcess(Kinebox.screensPath, ["--version"]).wait()
        #expect(version.text == "kinebox-kms \(Help.version)\n")
    }

    @Test("every option stands in the help of its command", arguments: Command.names)
    func help(command: String) throws {
        let help = try Kinebox.run(command, "--help")
        #expect(help.exitCode == 0)
        let overview = try Kinebox.run("--help").text
        #expect(overview.contains(command))
        for option in try #require(Command.options(of: command)) where option.name != "--help" {
            #expect(help.text.contains(option.name), "\(option.name)")
        }
    }

    @Test("the manual promises no option that there is not")
    func promises() throws {
        let known = Set(Command.names.flatMap { Command.options(of: $0)?.map(\.name) ?? [] } + ["--version"])
        let page = try Self.page("kinebox.1").split(separator: "\n").filter { !$0.hasPrefix("restrict") }
        let words = page.joined(separator: " ").split { !($0.isLetter || $0 == "-" || $0 == "\\") }
        let options = words.filter { $0.hasPrefix("\\-\\-") }.map { $0.filter { $0 != "\\" } }
        #expect(options.count > 40)
        for option in options { #expect(known.contains(option), "\(option)") }
    }
}
