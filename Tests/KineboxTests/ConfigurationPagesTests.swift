import Judges
import Linux
import Media
import Testing

@testable import kinebox

/// The sample and the manual of the configuration are made of the table of keys, and a reload goes by it.
@Suite("The pages of the configuration")
struct ConfigurationPagesTests {
    /// The checkout.
    private static let root = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }

    private static func content(_ path: String) throws -> String {
        String(decoding: try Folder.bytes(of: "\(root)/\(path)"), as: UTF8.self)
    }

    private func configuration(_ text: String) throws(Failure) -> DaemonConfiguration {
        try DaemonConfiguration(Configuration([ConfigurationFile(text, path: "k.conf")]))
    }

    @Test("the sample in the checkout is the one that the program prints, and says nothing but the usual")
    func sample() throws {
        let text = try Self.content("systemd/kinebox.conf")
        #expect(text == ConfigurationSample.text, "kinebox config --sample >systemd/kinebox.conf")
        #expect(try configuration(text) == DaemonConfiguration())
    }

    @Test("each line of the sample whose # is taken away is taken")
    func sampleLines() throws {
        var lines = ConfigurationSample.text.split(separator: "\n").map(String.init)
        var found = 0
        for key in ConfigurationKey.all {
            let places = lines.indices.filter { lines[$0].hasPrefix("#\(key.name)=") }
            #expect(places.count == 1, "\(key.name)")
            found += places.count
            if case .group = key.form { continue }
            if case .groups = key.form { continue }
            // That another button stops is another thing than that the same one does.
            for place in places { lines[place].removeFirst() }
        }
        #expect(found == ConfigurationKey.all.count)
        #expect(try configuration(lines.joined(separator: "\n")) == DaemonConfiguration())
    }

    @Test("the manual in the checkout is the one that the program prints, with all sections and keys")
    func manual() throws {
        let text = try Self.content("docs/man/kinebox.conf.5")
        #expect(text == ConfigurationManual.text, "kinebox config --manual >docs/man/kinebox.conf.5")
        for section in ConfigurationSection.allCases {
            #expect(text.contains("\n.SH [\(section.rawValue.uppercased())]\n"))
        }
        for key in ConfigurationKey.all {
            #expect(text.contains("\n.B \(key.name)=\n"), "\(key.name)")
            #expect(key.words.hasSuffix(".") && !key.words.contains("  ") && !key.words.contains("\n"), "\(key.name)")
        }
    }

    @Test("what counts is printed as a file that says the same, with the places of what stands somewhere")
    func printed() throws {
        let text = "[Recording]\nSize=640x480\nAudio=tone\nAudio=hw:1\n[Panel]\nBrightness=7\n"
        let read = try Configuration([ConfigurationFile(text, path: "k.conf")])
        let lines = ConfigCommand.lines(read)
        #expect(try configuration(lines.joined(separator: "\n")) == configuration(text))
        #expect(lines.contains("# k.conf, line 2") && lines.contains("Size=640x480") && lines.contains("#Rate="))
    }

    @Test("kinebox config says what is wrong, and nothing where all is right")
    func command() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("k.conf")
        let write = "printf '[Panel]\\nBrightness=%s\\n' \"$1\" >\"$0\""
        try #require(try ChildProcess("bash", ["-c", write, path, "40"]).wait().exitCode == 0)
        let right = try Kinebox.run("config", "--check", path)
        #expect(right.exitCode == 0 && right.text.isEmpty && right.errors.isEmpty)
        #expect(try Kinebox.run("config", path).text.contains("# \(path), line 2\nBrightness=40\n"))
        try #require(try ChildProcess("bash", ["-c", write, path, "400"]).wait().exitCode == 0)
        let wrong = try Kinebox.run("config", path)
        #expect(wrong.exitCode == 2 && wrong.text.isEmpty)
        expectOneSentence(wrong, naming: "Brightness=400 in \(path), line 2")
        #expect(try Kinebox.run("config", "--sample").text == ConfigurationSample.text)
    }

    @Test("each key changes its own part and no other")
    func changes() throws {
        #expect(ConfigurationChange(from: DaemonConfiguration(), to: DaemonConfiguration()).isEmpty)
        for (key, line) in zip(ConfigurationKey.all, DaemonConfigurationTests.values) {
            let changed = try configuration("[\(key.section.rawValue)]\n\(line)")
            let change = ConfigurationChange(from: DaemonConfiguration(), to: changed)
            // Another button takes the record button's work over.
            let expected: ConfigurationChange = key.name == "StopButton" ? [.buttons, .policy] : key.change
            #expect(change == expected, "\(line)")
            #expect(ConfigurationChange(from: changed, to: DaemonConfiguration()) == expected, "\(line)")
        }
    }

    @Test("where a start waits for the signal sources stay open to be looked at, whatever KeepWarm= says")
    func waiting() throws {
        let cold = try configuration("[Recording]\nKeepWarm=no")
        let waiting = try configuration("[Recording]\nKeepWarm=no\n[Behaviour]\nWaitForSignal=yes")
        #expect(!cold.keepsSourcesOpen && waiting.keepsSourcesOpen && DaemonConfiguration().keepsSourcesOpen)
        #expect(ConfigurationChange(from: cold, to: waiting) == [.policy, .sources])
    }

    @Test("what may be taken over while something is recorded leaves sources, encoder and places alone")
    func parts() {
        let parts: [ConfigurationChange] = [.atOnce, .whenIdle, .byStart]
        #expect(parts.reduce(0) { $0 + $1.rawValue } == 255)
        #expect(ConfigurationKey.all.allSatisfy { key in parts.contains { $0.contains(key.change) } })
        #expect(ConfigurationChange.whenIdle == .sources)
    }
}
