import Judges
import Testing

extension SystemTests {
    /// What cannot be recorded is refused in the same words everywhere: by the light, on the socket, by a command's exit
    /// code, and in the journal.
    @Suite("Refusals", .serialized) struct RefusalTests {
        struct Refusal: Sendable, CustomTestStringConvertible {
            var error: String
            var exitCode: Int32
            var blinks: Int
            /// Lines of shell that bring it about.
            var cause: String
            var video = "test"
            var testDescription: String { error }
        }

        private static let refusals = [
            Refusal(error: "NoMedium", exitCode: 4, blinks: 1, cause: "boardctl stick out"),
            Refusal(
                error: "MediumFull", exitCode: 4, blinks: 2,
                cause: "boardctl stick in vfat 600M >/dev/null; boardctl stick fill 1M"),
            Refusal(
                error: "MediumReadOnly", exitCode: 4, blinks: 5,
                cause: "boardctl stick in vfat 600M >/dev/null; boardctl stick protect"),
            Refusal(
                error: "MediumFailed", exitCode: 4, blinks: 5,
                cause:
                    "boardctl stick in blank 64M >/dev/null; mkfs.minix /dev/board/stick; boardctl stick out; boardctl stick in"
            ),
            Refusal(
                error: "NoSignal", exitCode: 3, blinks: 4,
                cause: "boardctl stick in vfat 600M; boardctl hdmi no-signal", video: "/dev/board/hdmi"),
            Refusal(
                error: "NoSource", exitCode: 3, blinks: 4, cause: "boardctl stick in vfat 600M",
                video: "/dev/video-that-is-not-there"),
        ]

        @Test("each has its blinks, its typed error, its exit code and its entry in the journal", arguments: refusals)
        func each(refusal: Refusal) throws {
            try InstalledRecorder.begin()
            try InstalledRecorder.configure(
                "[Recording]\nVideo=\(refusal.video)\nAudio=none\nSize=\(refusal.video == "test" ? "320x240" : "")")
            try Board.shell("boardctl hdmi on 640x480@59; \(refusal.cause) >/dev/null")
            try Board.shell("systemctl restart kinebox.service")
            let call = #"printf '{"method":"io.kinebox.Recorder.Start"}\0' | kinebox bridge"#
            // Until all is seen as it is, a medium is still being prepared and a signal still being looked for.
            try Board.until("\(call) | grep -q 'io.kinebox.Recorder.\(refusal.error)\"'")

            let ending = try InstalledRecorder.client(["start"])
            #expect(ending.exitCode == refusal.exitCode && !ending.errors.isEmpty, "\(ending)")
            try Board.shell("systemctl restart kinebox.service")
            try Board.until("\(call) | grep -q 'io.kinebox.Recorder.\(refusal.error)\"'")
            let watch = try WatchedLight.begun("red", seconds: "11")
            try Board.control("press", "record")
            let record = try watch.record()
            #expect(record.flashes.contains(refusal.blinks), "\(record)")
            #expect(record.flashes.allSatisfy { $0 == refusal.blinks }, "\(record)")
            let said = try Board.shell(
                "journalctl --sync; journalctl -b -o verbose --no-pager MESSAGE_ID=eb0ac3804c9d44cc93971c185c4c5170")
            #expect(said.contains("KINEBOX_ERROR=\(refusal.error)\n"), "\(said)")
            #expect(try Board.shell("compgen -G '/media/kinebox/*/*.mp4' || true") == "")
            try Board.shell("boardctl stick unprotect; boardctl stick out; boardctl hdmi on 640x480@59")
        }

        @Test("what is wrong with a call has no blinks, and the light goes on telling the state")
        func wrongCalls() throws {
            try InstalledRecorder.begin()
            try InstalledRecorder.configure("[Recording]\nVideo=test\nAudio=none\nSize=320x240")
            try Board.shell("systemctl restart kinebox.service")
            try InstalledRecorder.plugIn("vfat")
            let watch = try WatchedLight.begun("red", seconds: "6")
            #expect(try InstalledRecorder.client(["stop"]).exitCode == 1)
            #expect(try InstalledRecorder.client(["start", "a/b"]).exitCode == 2)
            #expect(try InstalledRecorder.client(["start", "--duration", "never"]).exitCode == 2)
            #expect(try watch.record().edges.isEmpty)
            #expect(try InstalledRecorder.client(["eject", "NOBODY"]).exitCode == 4)
            try Board.control("stick", "out")
        }
    }
}
