import Judges
import Testing

extension SystemTests {
    /// Media that go, fill up or fail, before and while something is recorded: each told to whom asked, to the journal, and by the light.
    @Suite("Refusals of media", .serialized) struct MediumRefusalTests {
        init() throws { try RefusingRecorder.begin() }

        @Test("without a medium, or without the one that was named: one blink")
        func none() throws {
            try RefusingRecorder.refuses(["start", "--medium", "OTHER"], "NoMedium", exitCode: 4)
            try RefusingRecorder.refuses(["eject", "OTHER"], "NoMedium", exitCode: 4)
            try Board.control("stick", "out")
            try Board.until("kinebox media | grep -q 'no medium'")
            _ = try RefusingRecorder.entries()
            try RefusingRecorder.refuses(["start"], "NoMedium", exitCode: 4)
            try RefusingRecorder.refuses(["snapshot"], "NoMedium", exitCode: 4)
            try Board.control("press", "record")
            try RefusingRecorder.tells(of: "NoMedium", RefusingRecorder.Event.refused)
            try RefusingRecorder.blinks(1)
            // The remedy ends it.
            try Board.control("stick", "in")
            try InstalledRecorder.isNow("idle")
            try RefusingRecorder.light(is: "off")
        }

        @Test("pulled while it records: one blink until somebody has seen it, and the file is finished when it is back")
        func pulled() throws {
            try Board.shell("kinebox start pulled; sleep 1.5")
            _ = try RefusingRecorder.entries()
            try Board.control("stick", "out")
            try Board.until("kinebox status | grep -q 'taken out'")
            let entries = try RefusingRecorder.entries()
            // One event each: that the medium went, and that the recording did.
            let events = entries.map(\.identifier)
            #expect(events.filter { $0 == RefusingRecorder.Event.mediumRemoved }.count == 1, "\(entries)")
            // A write that fails may tell of it before the kernel says that the stick is gone.
            let failures = entries.filter { $0.error == "NoMedium" || $0.error == "MediumFailed" }
            #expect(failures.map(\.identifier) == [RefusingRecorder.Event.recordingFailed], "\(entries)")
            #expect(Set(entries.map(\.text)).count == entries.count, "\(entries)")
            try RefusingRecorder.blinks(1)
            try RefusingRecorder.refuses(["stop"], "NotRecording", exitCode: 1)
            try Board.control("stick", "in")
            try Board.until("kinebox media | grep -q 'ready, chosen'")
            try Board.until("kinebox check /media/kinebox/*/pulled.mp4")
            try Board.shell("kinebox start; kinebox stop; rm /media/kinebox/*/*.mp4")
        }

        @Test(
            "filled while it records: it ends with LeastRoom= still free, its file is whole, and the light blinks twice"
        )
        func filled() throws {
            try Board.control("stick", "out")
            try Board.control("stick", "in", "vfat", "48M")
            try Board.until("kinebox media | grep -q 'ready, chosen'")
            try Board.shell("kinebox start filled; sleep 1")
            _ = try RefusingRecorder.entries()
            // All but a little more than what is to stay free, and what two seconds of the recording may need.
            try Board.shell(
                """
                folder=$(echo /media/kinebox/*)
                free=$(df -B1 --output=avail $folder | tail -n 1)
                head -c $((free - 16000000 - 200000)) /dev/zero >$folder/other
                sync -f $folder/other
                """)
            try Board.until("kinebox status | grep -q '^failed.*full'")
            try Board.shell("[ $(df -B1 --output=avail /media/kinebox/* | tail -n 1) -ge 16000000 ]")
            try RefusingRecorder.tells(of: "MediumFull", RefusingRecorder.Event.recordingFailed)
            try RefusingRecorder.blinks(2)
            try RefusingRecorder.areWhole(1)
            try fresh()
        }

        @Test("failing while it records: five blinks")
        func failing() throws {
            try Board.shell("kinebox start failing; sleep 1")
            _ = try RefusingRecorder.entries()
            try Board.control("stick", "fail")
            try Board.until("kinebox status | grep -q '^failed'")
            try RefusingRecorder.tells(of: "MediumFailed", RefusingRecorder.Event.recordingFailed)
            try RefusingRecorder.blinks(5)
            try Board.control("stick", "good")
            try fresh()
        }

        /// Another stick, with room.
        private func fresh() throws {
            try Board.control("stick", "out")
            try Board.control("stick", "in", "exfat", "256M")
            try Board.until("kinebox media | grep -q 'ready, chosen'")
        }
    }
}
