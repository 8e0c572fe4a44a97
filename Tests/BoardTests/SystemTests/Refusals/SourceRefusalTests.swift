import Judges
import Testing

extension SystemTests {
    /// Sources and encoders that are missing, taken or broken: four blinks, and six.
    @Suite("Refusals of sources and encoders", .serialized) struct SourceRefusalTests {
        init() throws {
            try RefusingRecorder.begin()
        }

        private func from(_ video: String, _ further: String = "") throws {
            try RefusingRecorder.configure("[Recording]\nVideo=\(video)\nSize=\n\(further)")
        }

        @Test(
            "a cable that is pulled before anything is saved: who started it is told, and the light blinks four times")
        func lostWhileArming() throws {
            try Board.control("hdmi", "on", "640x480@59")
            try from("/dev/board/hdmi", "SignalLoss=stop")
            try Board.until("kinebox status | grep -q 640x480")
            _ = try RefusingRecorder.entries()
            // What is written takes so long that the recording is still about to begin.
            try Board.control("stick", "slow", "1500")
            let start = try Board.start("kinebox start --json lost")
            try Board.until("kinebox status | grep -q '^starting'")
            try Board.control("hdmi", "no-signal")
            let ending = start.wait(atMost: 90)
            #expect(ending.exitCode == 3 && BoxHands.answer(ending) == "NoSignal", "\(ending)")
            let entries = try RefusingRecorder.entries()
            #expect(entries.filter { $0.error == "NoSignal" }.count == 1, "\(entries)")
            try RefusingRecorder.blinks(4)
            try Board.control("stick", "good")
            try Board.control("hdmi", "on", "640x480@59")
        }

        @Test("a source that may not be opened, or that another program has: four blinks")
        func noSource() throws {
            try Board.control("hdmi", "on", "640x480@59")
            try Board.shell("chmod 600 $(readlink -f /dev/board/hdmi)")
            try from("/dev/board/hdmi")
            try Board.until("kinebox status | grep -q board/hdmi")
            _ = try RefusingRecorder.entries()
            try RefusingRecorder.refuses(["start"], "NoSource", exitCode: 3)
            try RefusingRecorder.blinks(4)
            try from("test")
            try Board.shell("chmod 660 $(readlink -f /dev/board/hdmi)")

            let other = try Board.start("exec v4l2-ctl -d /dev/board/hdmi --stream-mmap --stream-count=0")
            try Board.until("kinebox devices | grep -q busy")
            try from("/dev/board/hdmi")
            try Board.until("kinebox status | grep -q 'another program is using it'")
            _ = try RefusingRecorder.entries()
            try RefusingRecorder.refuses(["start"], "NoSource", exitCode: 3)
            other.send(9)
            _ = other.wait()
        }

        @Test("an encoder that may not be opened, where no other may be used: six blinks")
        func encoder() throws {
            let nodes = "$(readlink -f /dev/board/encoder /dev/board/encoder-planes)"
            try Board.control("hdmi", "on", "640x480@59")
            try Board.shell("chmod 600 \(nodes)")
            try from("/dev/board/hdmi", "Encoder=hardware")
            try Board.until("kinebox status | grep -q 'by hardware'")
            _ = try RefusingRecorder.entries()
            try RefusingRecorder.refuses(["start"], "EncoderFailed", exitCode: 1)
            try RefusingRecorder.blinks(6)
            try Board.shell("chmod 660 \(nodes)")
            try Board.until("kinebox status | grep -q 640x480")
            try Board.shell("kinebox start hardware; kinebox stop; kinebox check /media/kinebox/*/hardware.mp4")
        }
    }
}
