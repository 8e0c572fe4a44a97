import Glibc
import Judges
import Testing

extension SystemTests {
    /// Hands, and buttons, as they really are: through the daemon to the files.
    @Suite("Presses, from the finger to the file", .serialized) struct PressJourneyTests {
        private let finger: SimulatedContact

        init() throws {
            try RefusingRecorder.begin()
            finger = try SimulatedContact("record")
            try Board.shell("rm -f /media/kinebox/*/*.mp4")
        }

        /// Waits until nothing is about to begin or to end, and gives the recorder's one line.
        private func rest(location: SourceLocation = #_sourceLocation) throws -> String {
            try Board.until("! kinebox status | grep -q '^\\(starting\\|finishing\\)'", location: location)
            return try Board.shell("kinebox status", location: location)
        }

        /// What the light shows is what the state is.
        private func lightAgrees(location: SourceLocation = #_sourceLocation) throws {
            let state = try rest(location: location)
            try RefusingRecorder.light(is: state.hasPrefix("recording safely") ? "on" : "off", location: location)
        }

        /// The button goes down for so long.
        private func hold(_ seconds: Double) throws {
            try finger.set(isDown: true)
            usleep(useconds_t(seconds * 1_000_000))
            try finger.set(isDown: false)
        }

        @Test("a contact that bounces is one press")
        func bounce() throws {
            try Board.control("press", "record", "--bounce")
            try InstalledRecorder.isNow("recording safely")
            usleep(1_000_000)
            try Board.control("press", "record", "--bounce")
            try InstalledRecorder.isNow("idle")
            try RefusingRecorder.areWhole(1)
            try lightAgrees()
        }

        @Test("where a press marks, a press marks, and only a hold of a second stops")
        func holdStops() throws {
            try RefusingRecorder.configure("[Behaviour]\nPressWhileRecording=mark")
            try hold(0.1)
            try InstalledRecorder.isNow("recording safely")
            usleep(1_000_000)
            try hold(0.1)
            usleep(1_000_000)
            #expect(try rest().hasPrefix("recording safely"))
            // It stops while the button is still down, so that the light can say when to let go.
            try finger.set(isDown: true)
            try InstalledRecorder.isNow("idle")
            try finger.set(isDown: false)
            try RefusingRecorder.areWhole(1)
            let chapters = try Board.shell(
                "ffprobe -v error -show_chapters /media/kinebox/*/*.mp4 | grep -c '^.CHAPTER'")
            #expect(chapters == "2\n", "the beginning, and the mark")
            try RefusingRecorder.configure("")
            try lightAgrees()
        }

        @Test(
            "held for five seconds: the medium can be pulled; a recording that this press began is stopped first, and kept"
        )
        func ejects() throws {
            try finger.set(isDown: true)
            try InstalledRecorder.isNow("recording safely")
            try Board.until("! grep -q ' /media/kinebox/' /proc/mounts")
            try finger.set(isDown: false)
            #expect(try rest().hasPrefix("idle"))
            try RefusingRecorder.light(is: "off")
            try Board.control("stick", "out")
            try Board.control("stick", "in")
            try Board.until("kinebox media | grep -q 'ready, chosen'")
            try RefusingRecorder.areWhole(1)
        }

        @Test("let go while the recording is about to begin: it begins all the same")
        func releasedDuringStart() throws {
            try Board.control("stick", "slow", "700")
            try finger.set(isDown: true)
            try InstalledRecorder.isNow("starting")
            try finger.set(isDown: false)
            try InstalledRecorder.isNow("recording safely")
            try Board.control("stick", "good")
            try hold(0.1)
            try InstalledRecorder.isNow("idle")
            try RefusingRecorder.areWhole(1)
        }

        @Test("fifty presses within a second: nothing hangs, no recording is lost, and the light agrees with the state")
        func hammered() throws {
            for _ in 0..<2 {
                for _ in 0..<50 {
                    try finger.set(isDown: true)
                    usleep(8000)
                    try finger.set(isDown: false)
                    usleep(8000)
                }
                try lightAgrees()
            }
            if try rest().hasPrefix("recording") { try hold(0.1) }
            try InstalledRecorder.isNow("idle")
            let count = try Board.shell("ls /media/kinebox/*/*.mp4 | wc -l")
            let begun = try Board.shell(
                "journalctl -b -q --no-pager -o cat MESSAGE_ID=289efa6121194a87b8e8312548315b7d --since=-2min | wc -l")
            #expect(count != "0\n")
            try RefusingRecorder.areWhole(Int(count.filter(\.isNumber)) ?? 0)
            #expect(Int(begun.filter(\.isNumber)) ?? 0 >= Int(count.filter(\.isNumber)) ?? .max)
            #expect(try Board.shell("systemctl show -P NRestarts kinebox.service") == "0\n")
            try lightAgrees()
        }

        @Test("held as the box starts: it means nothing until it is let go, and the journal tells that it is stuck")
        func stuck() throws {
            try finger.set(isDown: true)
            try Board.shell("systemctl restart kinebox.service")
            try Board.until("kinebox media | grep -q 'ready, chosen'")
            _ = try RefusingRecorder.entries()
            let entries = try RefusingRecorder.entries(until: RefusingRecorder.Event.buttonStuck)
            #expect(entries.contains { $0.text.contains("stuck") })
            #expect(try rest().hasPrefix("idle"), "nothing has begun")
            try RefusingRecorder.light(is: "off")
            try finger.set(isDown: false)
            usleep(500_000)
            #expect(try rest().hasPrefix("idle"), "that it let go is nobody's wish")
            try hold(0.1)
            try InstalledRecorder.isNow("recording safely")
            try hold(0.1)
            try InstalledRecorder.isNow("idle")
            try RefusingRecorder.areWhole(1)
            let later = try RefusingRecorder.entries()
            #expect(!later.contains { $0.identifier == RefusingRecorder.Event.buttonStuck }, "once is enough: \(later)")
        }
    }
}
