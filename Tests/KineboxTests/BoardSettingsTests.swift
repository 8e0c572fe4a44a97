import Judges
import Media
import Recorder
import Testing

@testable import kinebox

/// What `board/` has for each board is taken by the programs that it is for.
@Suite("Settings of boards")
struct BoardSettingsTests {
    /// The checkout's folder `board`.
    private static let board = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" } + "/board"

    @Test("each configuration is taken", arguments: ["raspberry-pi-4", "rk3588", "x86-usb"])
    func configuration(board: String) throws {
        let configuration = try Configuration(reading: "\(Self.board)/\(board)/kinebox.conf")
        let arguments = try RecordArguments(configuration: configuration)
        #expect(arguments.encoder == .automatic && arguments.signalLoss == .slate)
        // Only an input that shows nothing by itself is given an EDID.
        #expect((arguments.edid == nil) == (board == "x86-usb"))
    }

    @Test("what is wired as the boot settings say is what the configuration goes by")
    func panel() throws {
        for board in ["raspberry-pi-4", "rk3588", "x86-usb"] {
            _ = try DaemonConfiguration(reading: "\(Self.board)/\(board)/kinebox.conf")
        }
        let panel = try DaemonConfiguration(reading: "\(Self.board)/raspberry-pi-4/kinebox.conf").panel
        let text = String(decoding: try Folder.bytes(of: "\(Self.board)/raspberry-pi-4/config.txt"), as: UTF8.self)
        for light in panel.lights.all {
            guard case .led(let name) = light else { continue }
            #expect(text.contains("dtoverlay=gpio-led,") && text.contains("label=\(name),"), "\(name)")
        }
        guard case .key(let key, nil, _) = panel.record.first else {
            Issue.record("the record button is no key")
            return
        }
        #expect(text.contains("keycode=\(key.code)"))
    }

    @Test("the overlay that turns the receiver on is one that the compiler of device trees takes")
    func overlay() throws {
        let folder = try TemporaryFolder()
        let ending = try ChildProcess(
            "dtc", ["-@", "-I", "dts", "-O", "dtb", "-o", folder.file("o"), "\(Self.board)/rk3588/hdmi-receiver.dtso"]
        ).wait()
        #expect(ending.exitCode == 0 && ending.errors.isEmpty, "\(ending)")
    }

    @Test("the number of lanes is told to the bridge, whose overlay is the one before it")
    func bootSettings() throws {
        let text = String(decoding: try Folder.bytes(of: "\(Self.board)/raspberry-pi-4/config.txt"), as: UTF8.self)
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        let overlays = lines.filter { $0.hasPrefix("dtoverlay=") }
        #expect(overlays.last == "dtoverlay=tc358743" && overlays.contains("dtoverlay=tc358743-audio"))
        let bridge = try #require(lines.firstIndex(of: "dtoverlay=tc358743"))
        #expect(lines[(bridge + 1)...] == ["[cm4]", "dtparam=4lane", "[all]"])
    }
}
