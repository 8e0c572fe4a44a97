import Judges
import Media
import Recorder
import Testing

@testable import kinebox

@Suite("The configuration file")
struct ConfigurationTests {
    private func assignments(_ text: String) throws(Failure) -> [String] {
        try ConfigurationFile(text, path: "k.conf").assignments.map {
            "[\($0.section)] \($0.key)=\($0.value) @\($0.place)"
        }
    }

    private func arguments(_ text: String, _ options: String...) throws(Failure) -> RecordArguments {
        try RecordArguments(
            Options(options + ["a.mp4"], of: "record", declared: RecordArguments.declared),
            Configuration([ConfigurationFile("[Recording]\n" + text, path: "k.conf")]))
    }

    private func refusal(_ text: String) -> Failure? {
        do throws(Failure) {
            _ = try arguments(text)
            return nil
        } catch {
            return error
        }
    }

    @Test("white space, remarks, lines that go on and the ends of lines of other systems mean nothing")
    func form() throws {
        let text =
            "\u{20}\n; one\n[Recording]\r\n # two\n  Video = /dev/video0 \r\nAudio=hw:1,\\\n# between\n0\nSize=\n[X]\na==b"
        #expect(
            try assignments(text) == [
                "[Recording] Video=/dev/video0 @k.conf, line 5", "[Recording] Audio=hw:1, 0 @k.conf, line 6",
                "[Recording] Size= @k.conf, line 9", "[X] a==b @k.conf, line 11",
            ])
        #expect(try assignments("").isEmpty)
        #expect(try assignments("[A]\nb=c\\") == ["[A] b=c @k.conf, line 2"])
    }

    @Test(
        "what is no such file is refused by its line",
        arguments: [("[Recording\n", 1), ("[]\n", 1), ("\nVideo=test\n", 2), ("[A]\n\nVideo\n", 3), ("[A]\n=1\n", 2)])
    func syntax(text: String, line: Int) {
        do {
            _ = try assignments(text)
            Issue.record("\(text) is taken")
        } catch {
            #expect(error.kind == .invalidValue)
            #expect(error.thing.hasSuffix("in k.conf, line \(line)"))
        }
    }

    @Test("each key stands for its option")
    func keys() throws {
        let file = """
            Video=test
            Audio=tone
            Audio=hw:1
            Encoder=software
            PixelFormat=nv12
            SignalLoss=split
            ScreenTurn=90
            Size=1280x720
            Rate=30000/1001
            Bitrate=6M
            AudioBitrate=128k
            Preset=veryfast
            Threads=2
            Duration=10
            SplitSize=1G
            SplitDuration=1min
            NamePrefix=hall-2_
            """
        let typed = try RecordArguments(
            Options(
                [
                    "--video", "test", "--audio", "tone", "--audio", "hw:1", "--encoder", "software", "--pixel-format",
                    "NV12", "--signal-loss", "split", "--screen-turn", "90", "--size", "1280x720", "--rate", "29.97",
                    "--bitrate", "6000000",
                    "--audio-bitrate", "128000", "--name-prefix", "hall-2_",
                    "--preset", "veryfast", "--threads", "2", "--duration", "10", "--split-size", "1G",
                    "--split-duration", "60", "a.mp4",
                ], of: "record", declared: RecordArguments.declared))
        #expect(try arguments(file) == typed)
        #expect(try arguments("EDID=720p60").edid != nil)
    }

    @Test("every key is an option of kinebox record")
    func options() {
        let options = RecordArguments.declared
        for key in ConfigurationKey.recording {
            guard let name = key.option else { continue }
            let option = options.first { $0.name == name }
            #expect(option != nil && option?.isRepeatable == key.form.isList, "\(key.name)")
            #expect(Help.record.contains("\n  \(name) "), "\(name) is not in the help")
        }
        let others = options.map(\.name).filter { name in !ConfigurationKey.all.contains { $0.option == name } }
        #expect(others == ["--config", "--help"])
    }

    @Test("the command line counts, then what stands last; an empty value takes back what stood before")
    func order() throws {
        let file = "Size=640x480\nAudio=tone\nSize=1280x720\nRate=25\nRate="
        #expect(try arguments(file).size == RecordArguments.Size(width: 1280, height: 720))
        #expect(try arguments(file).rate == nil)
        let typed = try arguments(file, "--size", "320x240", "--audio", "none")
        #expect(typed.size == RecordArguments.Size(width: 320, height: 240) && typed.audio.isEmpty)
        #expect(try arguments("Audio=tone\nAudio=\nAudio=hw:2").audio == [.device("hw:2")])
        #expect(try arguments("Size=640x480", "--video", "-").size == nil)
    }

    @Test(
        "a wrong key or value is refused by file, line and name, with the nearest right one",
        arguments: [
            ("Vidoe=test", "Vidoe=", "Video="), ("encoder=auto", "encoder=", "Encoder="),
            ("Encoder=hardwear", "Encoder=hardwear", "hardware"), ("Preset=veryfest", "Preset=veryfest", "veryfast"),
            ("SignalLoss=slates", "SignalLoss=slates", "slate"), ("PixelFormat=NV13", "PixelFormat=NV13", "NV12"),
            ("EDID=1080p61", "EDID=1080p61", "1080p6"),
        ])
    func wrong(line: String, name: String, nearest: String) throws {
        let failure = try #require(refusal("\n" + line))
        #expect(failure.kind == .invalidValue)
        #expect(failure.thing == "cannot use \(name) in k.conf, line 3")
        #expect(failure.mend.contains("Did you mean \(nearest)"), "\(failure)")
    }

    @Test("wrong numbers and sections are refused as well; what belongs to others is left alone")
    func more() throws {
        #expect(refusal("Size=12")?.thing == "cannot use Size=12 in k.conf, line 2")
        #expect(refusal("[Recordin]\nSize=640x480")?.mend.contains("Did you mean [Recording]?") ?? false)
        #expect(refusal("[Engine]\nSize=640x480")?.thing == "cannot use [Engine] in k.conf, line 3")
        #expect(refusal("X-Mine=1\n[X-Other]\nb=2") == nil)
    }

    @Test("files beside it with .conf at the end come after it, in the order of their names")
    func folder() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("k.conf")
        let content = """
            mkdir "$0.d"; printf '[Recording]\\nSize=640x480\\nRate=25\\n' >"$0"
            printf '[Recording]\\nSize=320x240\\n' >"$0.d/20.conf"; printf '[Recording]\\nSize=800x600\\n' >"$0.d/10.conf"
            echo nonsense >"$0.d/30.conf.bak"
            """
        try #require(try ChildProcess("bash", ["-c", content, path]).wait().exitCode == 0)
        let configuration = try Configuration(reading: path)
        let size = try #require(ConfigurationKey.named("Size"))
        let rate = try #require(ConfigurationKey.named("Rate"))
        #expect(configuration[size].map(\.value) == ["320x240"])
        #expect(configuration[size].map(\.place) == ["\(path).d/20.conf, line 2"])
        #expect(configuration[rate].map(\.value) == ["25"])
        #expect(throws: Failure.self) { try Configuration(reading: folder.file("none.conf")) }
        #expect(throws: Failure.self) { try Configuration(reading: folder.path) }
    }

    @Test("a recording follows its file, and says where a wrong value stands")
    func recorded() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("k.conf")
        let lines = "[Recording]\nVideo=test\nAudio=none\nSize=320x240\nDuration=0.3\n"
        try #require(try ChildProcess("bash", ["-c", "printf '\(lines)' >\"$0\"", path]).wait().exitCode == 0)
        let good = try Kinebox.run("record", "--config", path, folder.file("a.mp4"))
        #expect(good.exitCode == 0, "\(good)")
        #expect(try Kinebox.run("check", folder.file("a.mp4")).text.contains("320x240"))
        try #require(try ChildProcess("bash", ["-c", "echo Rate=fast >>\"$0\"", path]).wait().exitCode == 0)
        let bad = try Kinebox.run("record", "--config", path, folder.file("b.mp4"))
        #expect(bad.exitCode == 2, "\(bad)")
        expectOneSentence(bad, naming: "Rate=fast in \(path), line 6")
        #expect(folder.names.sorted() == ["a.mp4", "k.conf"])
    }
}
