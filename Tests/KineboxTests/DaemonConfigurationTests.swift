import Control
import Judges
import Media
import Panel
import Recorder
import Testing

@testable import kinebox

@Suite("What the configuration file says to the daemon")
struct DaemonConfigurationTests {
    private func configuration(_ text: String) throws(Failure) -> DaemonConfiguration {
        try DaemonConfiguration(Configuration([ConfigurationFile(text, path: "k.conf")]))
    }

    private func refusal(_ text: String) -> Failure? {
        do throws(Failure) {
            _ = try configuration(text)
            return nil
        } catch {
            return error
        }
    }

    /// A line for each key, in their order, with what is not usual.
    static let values = [
        "Video=test", "Audio=none", "Encoder=software", "PixelFormat=NV12", "EDID=1080p30", "SignalLoss=split",
        "ScreenTurn=270", "Size=640x480", "Rate=25", "Bitrate=6M", "AudioBitrate=128k", "Preset=fast", "Threads=2",
        "Duration=90min",
        "SplitSize=1G", "SplitDuration=0", "NamePrefix=hall", "KeepWarm=no", "PressWhileRecording=mark",
        "WaitForMedium=yes", "WaitForSignal=yes", "StartWithoutSignal=yes", "GoOnAfterLostMedium=yes",
        "ResumeAfterPowerCut=yes", "ArmingLimit=20s", "FinalisingLimit=1min", "RefusalShownFor=5s",
        "SlipTime=100ms",
        "RecordButton=key:F13@Foot switch *", "StopButton=line:GPIO17,active-low,pull-up",
        "MarkButton=line:pinctrl-bcm2711:22", "Exclusive=no", "Debounce=5ms", "HoldTime=1s 500ms",
        "EjectHoldTime=8s", "RestTime=0", "RecordLight=rgb:led:r,line:GPIO18,active-low,line:chip:3",
        "MediumLight=led:green:medium", "Brightness=40", "Prefer=TALKS OF 2026", "Disk=2F3A-11AB",
        "Folder=talks/hall 2", "LeastRoom=1G", "Socket=/tmp/socket", "SocketMode=0600", "SocketGroup=root",
        "RecordGroups=root daemon", "LookGroups=root",
    ]

    @Test("nothing means the usual values, and no key has two of them")
    func usual() throws {
        let usual = try configuration("")
        #expect(usual == DaemonConfiguration())
        #expect(usual.policy == RecorderPolicy())
        #expect(usual.panel.buttons.map(\.name) == ["record"])
        #expect(usual.panel.buttons.first?.grammar == PressGrammar())
        #expect(Set(ConfigurationKey.all.map(\.name)).count == ConfigurationKey.all.count)
    }

    @Test("each key's usual value, written down, is taken and changes nothing", arguments: ConfigurationKey.all)
    func writtenDown(key: ConfigurationKey) throws {
        let usual = DaemonConfiguration()
        let texts = key.form.texts(of: usual)
        let lines = texts.map { "\(key.name)=\($0)" }.joined(separator: "\n")
        // The usual groups need not be on this machine.
        if case .group = key.form { return }
        if case .groups = key.form { return }
        #expect(try configuration("[\(key.section.rawValue)]\n\(lines)") == usual)
    }

    @Test("each key changes the configuration, and what is written down then says so again")
    func values() throws {
        let values = Self.values
        #expect(values.map { String($0.prefix { $0 != "=" }) } == ConfigurationKey.all.map(\.name))
        for (key, value) in zip(ConfigurationKey.all, values) {
            let changed = try configuration("[\(key.section.rawValue)]\n\(value)")
            #expect(changed != DaemonConfiguration(), "\(value)")
            if key.option == nil { #expect(key.form.texts(of: changed).map { "\(key.name)=\($0)" } == [value]) }
        }
    }

    @Test("buttons and lights come as they are written")
    func panel() throws {
        let panel = try configuration(
            """
            [Panel]
            RecordButton=key:RECORD
            RecordButton=key:KEY_F13@PCsensor FootSwitch*
            StopButton=line:GPIO17,active-low,pull-up
            MarkButton=line:pinctrl-bcm2711:22
            Exclusive=no
            Debounce=3ms
            HoldTime=2s
            RecordLight=rgb:led:red:signal,line:GPIO18,active-low,led:b
            MediumLight=line:GPIO5
            Brightness=30%
            """
        ).panel
        let record = try #require(KeyCode(named: "RECORD"))
        let pedal = try #require(KeyCode(named: "F13"))
        let grammar = PressGrammar(holds: [2_000_000_000, 5_000_000_000])
        let sense = LineSense(isActiveLow: true, bias: .pullUp)
        func wiring(_ name: String, _ place: ButtonWiring.Place) -> ButtonWiring {
            ButtonWiring(name, at: place, grammar: grammar, debounce: 3_000_000)
        }
        #expect(
            panel.buttons == [
                wiring("record", .key(record, device: nil, isExclusive: false)),
                wiring("record", .key(pedal, device: "PCsensor FootSwitch*", isExclusive: false)),
                wiring("stop", .line(.named("GPIO17"), sense)),
                wiring("mark", .line(.place(chip: "pinctrl-bcm2711", offset: 22), LineSense())),
            ])
        #expect(
            panel.lights
                == LightConfiguration(
                    recording: .colors(
                        red: .led("red:signal"), green: .line(.named("GPIO18"), isActiveLow: true), blue: .led("b")),
                    medium: .line(.named("GPIO5"), isActiveLow: false), brightness: 30))
        #expect(try configuration("[Panel]\nRecordButton=none\nRecordLight=none").panel.buttons.isEmpty)
    }

    @Test("where another button stops, the one that starts does not, unless the file says so")
    func twoButtons() throws {
        let two = "[Panel]\nStopButton=key:STOP\n"
        #expect(try configuration(two).policy.recordButton == .startsOnly)
        #expect(try configuration(two + "[Behaviour]\nPressWhileRecording=stop").policy.recordButton == .pressStops)
        #expect(try configuration("").policy.recordButton == .pressStops)
    }

    @Test(
        "a wrong value is refused by file, line and name, with the nearest right one",
        arguments: [
            ("[Panel]\nRecordButton=kye:RECORD", "Did you mean key:?"),
            ("[Panel]\nRecordButton=key:RECROD", "Did you mean key:RECORD?"),
            ("[Panel]\nRecordButton=key:RECORD@", "leave @ out"),
            ("[Panel]\nRecordButton=line:GPIO17,active-lo", "Did you mean active-low?"),
            ("[Panel]\nStopButton=line:", "line:GPIO17"), ("[Panel]\nRecordLight=lde:red", "Did you mean led:?"),
            ("[Panel]\nRecordLight=led:../red", "led:red:record"),
            ("[Panel]\nRecordLight=rgb:led:r,led:g", "rgb:led:RED"),
            ("[Panel]\nMediumLight=rgb:led:r,led:g,led:b", "led:NAME"), ("[Panel]\nBrightness=0", "from 1 to 100"),
            ("[Panel]\nDebounce=2h", "from 0 to 1s"), ("[Behaviour]\nWaitForMedium=ye", "Did you mean yes?"),
            ("[Behaviour]\nPressWhileRecording=marks", "Did you mean mark?"), ("[Behaviour]\nArmingLimit=soon", "30s"),
            ("[Behaviour]\nArmingLimit=1ms", "from 1s to 5min"), ("[Media]\nDisk=/dev/sda1", "1234-ABCD"),
            ("[Control]\nSocket=run", "begins with /"),
            ("[Media]\nFolder=../etc", "letters"), ("[Media]\nLeastRoom=1", "from 16M to 1T"),
            ("[Control]\nSocketMode=rw", "0660"), ("[Control]\nRecordGroups=root no-such-group", "groupadd"),
            ("[Recording]\nVideo=-", "auto"), ("[Recording]\nKeepWarm=maybe", "yes"),
            ("[Recording]\nNamePrefix=a/b", "digits"),
        ])
    func wrong(text: String, mend: String) throws {
        let failure = try #require(refusal(text))
        #expect(failure.kind == .invalidValue)
        let line = text.split(separator: "\n")[1]
        #expect(failure.thing == "cannot use \(line) in k.conf, line 2")
        #expect(!failure.cause.isEmpty && failure.mend.contains(mend), "\(failure)")
    }

    @Test("a key in another section is told where it belongs, and a slip across sections is seen")
    func sections() throws {
        #expect(refusal("[Recording]\nSocket=/a")?.mend == "It belongs in [Control].")
        #expect(refusal("[Recording]\nbrightness=3")?.mend.contains("Did you mean Brightness=?") ?? false)
        #expect(refusal("[Pannel]\nBrightness=3")?.mend.contains("Did you mean [Panel]?") ?? false)
    }

    @Test("what contradicts itself is refused")
    func contradictions() throws {
        let twice = "[Panel]\nRecordButton=key:F13\nMarkButton=key:F13"
        #expect(refusal(twice)?.cause == "a button has this contact already")
        #expect(
            refusal("[Panel]\nMarkButton=key:RECORD")?.thing == "cannot use MarkButton=key:RECORD in k.conf, line 2")
        #expect(refusal("[Panel]\nMediumLight=led:red:record")?.cause == "a light is there already")
        #expect(refusal("[Panel]\nHoldTime=5s")?.cause == "HoldTime= has to be shorter than EjectHoldTime=")
        #expect(refusal("[Panel]\nHoldTime=6s\nEjectHoldTime=7s") == nil)
    }

    @Test("whatever stands in a file, it is taken or refused with a place")
    func damaged() {
        var random = Xorshift(state: 0xC0FFEE)
        let lines = zip(ConfigurationKey.all, Self.values).map { "[\($0.section.rawValue)]\n\($1)\n" }
        var (taken, refused) = (0, 0)
        for _ in 0..<3000 {
            var bytes: [UInt8] = []
            for _ in 0...random.below(3) { bytes += Array(lines[random.below(lines.count)].utf8) }
            for _ in 0...random.below(4) { random.damage(&bytes) }
            if let failure = refusal(String(decoding: bytes, as: UTF8.self)) {
                refused += 1
                #expect(failure.kind == .noSource || failure.thing.contains("k.conf, line "), "\(failure)")
            } else {
                taken += 1
            }
        }
        #expect(taken > 100 && refused > 100)
    }

    @Test("groups that are named become the rights of their members")
    func groups() throws {
        let control = try configuration("[Control]\nRecordGroups=root\nRecordGroups=daemon\nLookGroups=root").control
        let root = try Group(named: "root")
        let daemon = try Group(named: "daemon")
        #expect(control.access(owner: 7) == Access(owner: 7, recorders: [root, daemon], lookers: .members([root])))
        #expect(DaemonConfiguration().control.access(owner: 7).lookers == .everyone)
    }

    @Test(
        "times are read as systemd reads them",
        arguments: [
            ("30", 30_000), ("0.5", 500), ("30s", 30_000), ("2min", 120_000), ("1h 30min", 5_400_000),
            ("1h30m", 5_400_000), ("500ms", 500), ("1.5 s", 1500), ("2 days", 172_800_000), ("0", 0),
        ] as [(String, Int64)])
    func times(text: String, milliseconds: Int64) {
        #expect(TimeSpan.nanoseconds(text) == milliseconds * 1_000_000)
        #expect(TimeSpan.nanoseconds(TimeSpan.words(milliseconds * 1_000_000)) == milliseconds * 1_000_000)
    }

    @Test(
        "what is no time is none",
        arguments: ["", "s", "-1", "1x", "1e9", "1..2", ".", "1 2h3", "99999999w", "∞", "٣s"])
    func noTimes(text: String) {
        #expect(TimeSpan.nanoseconds(text) == (text == "1 2h3" ? 7_204_000_000_000 : nil))
    }

    @Test(
        "numbers have thousands, and powers of 1024 where those are asked for",
        arguments: [
            ("4G", 4_000_000_000), ("4Gi", 4_294_967_296), ("6M", 6_000_000), ("128k", 128_000),
            ("1T", 1_000_000_000_000),
            ("7", 7), ("0", 0),
        ])
    func numbers(text: String, value: Int) {
        #expect(WholeNumber.value(text) == value)
        #expect(WholeNumber.value(WholeNumber.words(value)) == value)
        #expect(WholeNumber.value(text + "x") == nil && WholeNumber.value("9999999999999999999T") == nil)
    }
}

extension ConfigurationKey: CustomTestStringConvertible {
    public var testDescription: String { name }
}
