import Glibc
import Judges
import Testing

extension BoardTests {
    @Suite("Recording the board's own screen")
    struct ScreenRecordingTests {
        private let file = "/tmp/screen.mp4"

        private func record(_ words: String..., seconds: Int = 1) throws -> Ending {
            let ending = try Kinebox.start(
                ["record", "--video", "screen", "--audio", "none", "--duration", "\(seconds)"] + words + [file]
            ).wait(atMost: 60)
            try #require(ending.exitCode == 0, "\(ending)")
            return ending
        }

        @Test(
            "what the screen shows is what the recording shows, bit by bit: its planes, put together as they lie",
            arguments: ScreenScene.all)
        func exact(scene: ScreenScene) throws {
            defer { unlink(file) }
            try scene.begin()
            _ = try record("--encoder", "hardware")
            try Board.control("screen", "stop")
            let check = try Kinebox.run("check", file)
            #expect(check.exitCode == 0, "\(check)")
            let recorded = try RecordedScreen(of: file, scene.reference)
            #expect(recorded.wrong == 0, "\(recorded)")
            #expect(recorded.numbers.count >= 2, "\(recorded)")
            #expect(zip(recorded.numbers, recorded.numbers.dropFirst()).allSatisfy { $0 < $1 }, "\(recorded)")
        }

        @Test("the reference is none that everything equals: another overlay, place or turn is told from it")
        func referenceCanFail() {
            for (index, scene) in ScreenScene.all.enumerated() {
                let picture = scene.reference(5).encoded()
                #expect(picture != scene.reference(6).encoded(), "\(scene.testDescription)")
                // One plane alone has the same colours in every format that keeps eight bits.
                for other in ScreenScene.piled.dropFirst(index + 1) {
                    #expect(picture != other.reference(5).encoded(), "\(scene.testDescription)")
                }
            }
        }

        @Test("a screen that stays as it is costs a picture a second at most, and the recording is as long as it took")
        func still() throws {
            defer { unlink(file) }
            try Board.control("screen", "show", "240x160")
            _ = try record("--encoder", "hardware", seconds: 5)
            try Board.control("screen", "stop")
            let recorded = try RecordedFile(file)
            // The first, one for each second, and one for the end.
            #expect((3...7).contains(recorded.pictures), "\(recorded.times)")
            #expect(abs(recorded.picture - 5) < 0.25, "\(recorded.picture) s of 5")
            let shown = ReferenceScreen(
                width: 240, height: 160,
                planes: [.init(width: 240, height: 160) { KnownPicture.drawing(0, $0, $1) }]
            ).encoded()
            #expect(try decoded(shown.count).allSatisfy { $0 == shown }, "each shows what the screen does")
        }

        /// The pictures of the recording, in planar 4:2:0.
        private func decoded(_ size: Int) throws -> [[UInt8]] {
            let raw = try ChildProcess(
                "ffmpeg",
                [
                    "-nostdin", "-v", "error", "-i", file, "-fps_mode", "passthrough", "-pix_fmt", "yuv420p", "-f",
                    "rawvideo", "-",
                ]
            ).wait(atMost: 60).output
            return stride(from: 0, to: raw.count - size + 1, by: size).map { Array(raw[$0..<($0 + size)]) }
        }

        @Test("encoded by the processor it is the same picture, within what x264 leaves out")
        func software() throws {
            defer { unlink(file) }
            let scene = ScreenScene.covered
            try scene.begin()
            _ = try record("--encoder", "software", "--bitrate", "8000000", seconds: 3)
            try Board.control("screen", "stop")
            let numbers = try DecodedPictures(of: file, width: ScreenScene.width, height: ScreenScene.height).numbers
            #expect(numbers.count >= 3 && numbers.dropFirst().allSatisfy { $0 != nil }, "\(numbers)")
            let pictures = try decoded(ScreenScene.width * ScreenScene.height * 3 / 2)
            #expect(pictures.count == numbers.count)
            for (number, picture) in zip(numbers, pictures) {
                guard let number else { continue }
                let likeness = Self.likeness(of: picture, to: scene.reference(Int(number)).encoded())
                #expect(likeness > 30, "picture \(number): \(likeness) dB")
            }
        }

        /// The ratio of the greatest sample to the noise, in decibels.
        private static func likeness(of picture: [UInt8], to reference: [UInt8]) -> Double {
            var error = 0
            for (sample, wanted) in zip(picture, reference) {
                let distance = Int(sample) - Int(wanted)
                error += distance * distance
            }
            return 10 * log10(255 * 255 * Double(picture.count) / Double(max(error, 1)))
        }

        /// The framebuffers and the encoder's raw pictures that a recorder had before its own eyes: lines of the trace. One
        /// picture of its own, for when there is nothing to be seen, is made before the first and is none of these: it is
        /// there to be written.
        private func mappedPictures() throws -> [Substring] {
            let trace = "/tmp/screen.trace"
            defer {
                unlink(trace)
                unlink(file)
            }
            let ending = try ChildProcess(
                "strace",
                [
                    "-f", "-y", "-e", "trace=mmap", "-o", trace, Kinebox.path, "record", "--video", "screen", "--audio",
                    "none", "--encoder", "hardware", "--duration", "2", file,
                ]
            ).wait(atMost: 90)
            try #require(ending.exitCode == 0, "\(ending)")
            return try Board.shell("cat \(trace)").split(separator: "\n").filter { line in
                // The queue of coded pictures has its offsets from 1 GiB on (v4l2-mem2mem.c).
                line.contains("dmabuf") && !line.contains("PROT_WRITE")
                    || line.contains("/dev/video") && !line.contains(", 0x4")
            }
        }

        @Test("one plane alone is read by the encoder where it lies: this process never looks at it; several it must")
        func zeroCopy() throws {
            try ScreenScene.plain.begin()
            let alone = try mappedPictures()
            #expect(alone.isEmpty, "\(alone.prefix(3))")
            try ScreenScene.piled[0].begin()
            let piled = try mappedPictures()
            #expect(!piled.isEmpty)
            try Board.control("screen", "stop")
        }
    }
}
