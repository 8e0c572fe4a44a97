import Judges
import Testing

extension SystemTests {
    /// The board's own screen, recorded by the installed service: it reads nothing itself.
    @Suite("A screen that the service records", .serialized) struct ScreenRecorderTests {
        private func status(_ words: String) throws {
            try Board.until("kinebox status --json | tr -d ' ' | grep -q '\(words)'")
        }

        /// Lines of Python that ask the service for its devices, and print those that are screens.
        private static let devices = """
            import json, socket
            s = socket.socket(socket.AF_UNIX)
            s.connect("\(ServedRecorder.socket)")
            s.send(b'{"method":"io.kinebox.Recorder.ListDevices"}\\0')
            reply = b""
            while not reply.endswith(b"\\0"):
                reply += s.recv(65536)
            for device in json.loads(reply[:-1])["parameters"]["devices"]:
                if device["argument"].startswith("screen:"):
                    print(device["argument"], device["state"], *device["formats"])
            """

        @Test("a dark screen is refused, or waited for; one that goes dark is held; and it is found again")
        func journey() throws {
            try ServedRecorder.begin("[Recording]\nVideo=screen\nAudio=none\nSignalLoss=hold")
            let refused = try Board.run("kinebox", "start", "early")
            #expect(refused.exitCode == 3 && refused.errors.contains("off"), "\(refused)")
            try Board.shell(
                """
                printf '[Behaviour]\\nWaitForSignal=yes\\n' >/etc/kinebox/kinebox.conf.d/60.conf
                systemctl reload kinebox.service
                """)
            try Board.shell("kinebox start waited")
            try status("\"state\":\"pending\"")
            try Board.control("screen", "show", "640x480")
            try status("\"safe\":true")
            let told = try Board.run("/usr/bin/python3", "-c", Self.devices)
            #expect(told.text.hasPrefix("screen:Virtual-1 ready 640x480 at "), "\(told)")
            let rights = try Board.shell("cat /proc/$(systemctl show -P MainPID kinebox.service)/status")
            #expect(rights.contains("CapEff:\t0000000000000000"))
            try Board.control("screen", "dark")
            try Board.until("journalctl -q --no-pager -u kinebox | grep -q 'goes on with the last picture'")
            try Board.control("screen", "lit")
            try Board.until("journalctl -q --no-pager -u kinebox | grep -q 'pictures come in again'")
            try Board.shell("kinebox stop && kinebox check /media/kinebox/*/*waited*.mp4")
            try ServedRecorder.end()
            try Board.control("screen", "stop")
        }
    }
}
