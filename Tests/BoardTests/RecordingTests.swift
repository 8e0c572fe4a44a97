import Glibc
import Judges
import Testing

extension BoardTests {
    @Suite("Recording")
    struct RecordingTests {
        @Test(
            "a recording of the HDMI input with sound is a file without fault",
            arguments: ["/dev/board/hdmi", "/dev/board/hdmi-planes"])
        func record(device: String) throws {
            let file = "/tmp/board-recording.mp4"
            for input in ["/dev/board/hdmi", "/dev/board/hdmi-planes"] { try Board.hdmi(input, "on", "640x480@59") }
            try Board.control("sound", "play", "1000")
            let ending = try Kinebox.run(
                "record", "--video", device, "--audio", "hw:Loopback,1,0", "--duration", "3", file)
            try Board.control("sound", "stop")
            #expect(ending.exitCode == 0, "\(ending)")
            // Its frames come when the machine below lets them: as irregular as a recording may be.
            let check = try Kinebox.run("check", file)
            #expect(check.exitCode == 0, "\(check)")
            let verdict = try Judge.ffprobe.verdict(on: file, audioTracks: 1)
            #expect(verdict.faults.isEmpty, "\(verdict.faults)")
            #expect((verdict.pictures ?? 0) > 30 && verdict.audioTracks == 1)
            unlink(file)
        }
    }
}
