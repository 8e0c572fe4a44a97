import Encoding
import Glibc
import Judges
import Recorder
import Testing
import V4L2

@testable import kinebox

/// What bash offers when somebody presses the tab key.
@Suite("Completion")
struct CompletionTests {
    private static let root = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }

    /// What bash completes the last of some words to.
    private func completions(_ words: String...) throws -> [String] { try completions(words) }

    private func completions(_ words: [String]) throws -> [String] {
        let script = """
            source "$0/docs/completion/${1##*/}"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
            function=$(complete -p "${1##*/}"); function=${function#*-F }; "${function%% *}"
            ((${#COMPREPLY[@]} == 0)) || printf '%s\\n' "${COMPREPLY[@]}"
            """
        let ending = try ChildProcess("bash", ["-c", script, Self.root] + words).wait()
        #expect(ending.exitCode == 0 && ending.errors.isEmpty, "\(ending)")
        return ending.text.split(separator: "\n").map(String.init)
    }

    @Test("bash takes the script")
    func syntax() throws {
        let ending = try ChildProcess("bash", ["-n", "\(Self.root)/docs/completion/kinebox"]).wait()
        #expect(ending.exitCode == 0 && ending.errors.isEmpty)
    }

    @Test("all commands are offered, and those that begin as what is written")
    func commands() throws {
        #expect(Set(try completions("kinebox", "")) == Set(Command.names + ["--help", "--version"]))
        #expect(try completions("kinebox", "st") == ["start", "stop", "status"])
        #expect(try completions("kinebox", "nonsense").isEmpty)
    }

    @Test("all options of each command are offered", arguments: Command.names)
    func options(command: String) throws {
        let declared = try #require(Command.options(of: command)).map(\.name)
        #expect(try completions("kinebox", command, "--").sorted() == declared.sorted())
    }

    @Test("options that take a value get one, and others do not")
    func values() throws {
        for command in Command.names {
            for option in try #require(Command.options(of: command)) where !option.takesValue {
                #expect(try completions("kinebox", command, option.name, "--").isEmpty == false, "\(option.name)")
            }
        }
        func values(_ option: String, _ start: String = "") throws -> Set<String> {
            Set(try completions("kinebox", "record", option, start))
        }
        #expect(try values("--encoder") == Set(EncoderPreference.allCases.map(\.rawValue)))
        #expect(try values("--signal-loss") == Set(SignalLossPolicy.allCases.map(\.rawValue)))
        #expect(try values("--screen-turn") == ["auto", "0", "90", "180", "270"])
        #expect(try values("--preset") == Set(["auto"] + SoftwareEncoder.Effort.allCases.map(\.rawValue)))
        #expect(try values("--pixel-format") == Set(V4L2Layout.all.map(\.name)))
        #expect(try values("--edid").isSuperset(of: EDIDLibrary.names()))
        #expect(try values("--audio") == ["auto", "none", "tone"])
        #expect(try values("--video").isSuperset(of: ["auto", "test", "screen", "-"]))
        #expect(try values("--encoder", "h") == ["hardware"])
        #expect(try completions("kinebox", "record", "--encoder", "=", "s") == ["software"])
        #expect(try completions("kinebox", "record", "--encoder", "=").count == 3)
    }

    @Test("files that the command takes are offered, and folders to go on in")
    func files() throws {
        let folder = try TemporaryFolder()
        let content = "cd \"$0\"; mkdir talks; touch a.mp4 a.txt k.conf"
        try #require(try ChildProcess("bash", ["-c", content, folder.path]).wait().exitCode == 0)
        func names(_ command: String, _ options: String...) throws -> Set<String> {
            let all = try completions(["kinebox", command] + options + [folder.path + "/"])
            return Set(all.map { String($0.dropFirst(folder.path.utf8.count + 1)) })
        }
        #expect(try names("check") == ["talks", "a.mp4"])
        #expect(try names("recover") == ["talks", "a.mp4"])
        #expect(try names("config") == ["talks", "k.conf"])
        #expect(try names("record", "--config") == ["talks", "a.mp4", "a.txt", "k.conf"])
        #expect(try names("stop").isEmpty)
    }

    @Test("the daemon has its options completed as well")
    func daemon() throws {
        #expect(try completions("kineboxd", "--").sorted() == DaemonCommand.declared.map(\.name).sorted())
    }

    @Test("media are offered by the recorder that answers")
    func media() throws {
        let folder = try TemporaryFolder()
        let socket = folder.file("socket")
        let program = Kinebox.path.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/FakeRecorder"
        let process = try ChildProcess(program, [socket])
        var rounds = 0
        while !String(decoding: process.outputSoFar, as: UTF8.self).contains("ready") {
            rounds += 1
            try #require(rounds < 60_000 && process.isRunning)
            usleep(1000)
        }
        #expect(try completions(Kinebox.path, "eject", "--socket", socket, "") == ["STICK"])
        #expect(try completions(Kinebox.path, "start", "--socket", socket, "--medium", "S") == ["STICK"])
        #expect(try completions(Kinebox.path, "start", "--socket", socket, "--medium", "X").isEmpty)
        #expect(try completions(Kinebox.path, "eject", "--socket", folder.file("none"), "").isEmpty)
    }
}
