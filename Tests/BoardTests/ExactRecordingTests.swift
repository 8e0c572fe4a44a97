import Glibc
import Judges
import Media
import Testing

extension BoardTests {
    @Suite("Exact recording of HDMI by hardware")
    struct ExactRecordingTests {
        private static let (width, height) = (1280, 720)

        /// Records the numbered pictures; tells of what is found in the file, and whether the recorder knows of no loss.
        private func record(_ code: String, _ input: String, _ fed: FedPicture, saying words: String) throws
            -> (pictures: RecordedPictures, isWhole: Bool)
        {
            let file = "/tmp/exact.mp4"
            defer { unlink(file) }
            let ending = try Kinebox.run(
                "record", "--video", input, "--audio", "none", "--encoder", "hardware", "--pixel-format", code,
                "--duration", "1", file)
            try #require(ending.exitCode == 0, "\(ending)")
            #expect(ending.errors.contains(words), "the way that was taken is told: \(ending.errors)")
            let check = try Kinebox.run("check", file)
            #expect(check.exitCode == 0, "\(check)")
            return (try RecordedPictures(of: file, fed), ending.errors.contains("no frame was lost"))
        }

        /// Feed and input each have a clock of their own, and the time of the machine below: where the two happen to meet,
        /// or where that machine is busy, a picture is taken twice or left out before anybody could record it. So there are
        /// some tries for a run without a break, while each picture of each try has to be right.
        private func judge(_ code: String, _ input: String, _ fed: FedPicture, saying words: String) throws {
            var best: RecordedPictures?
            for _ in 0..<10 where best == nil {
                try Board.hdmi(input, "feed", code, "1280x720@30")
                let (pictures, isWhole) = try record(code, input, fed, saying: words)
                #expect(pictures.wrong == 0, "\(pictures)")
                if isWhole && pictures.breaks == 0 { best = pictures }
            }
            try Board.hdmi(input, "unfeed")
            let whole = try #require(best, "a recording without a gap and without a repeat")
            #expect((29...31).contains(whole.numbers.count), "\(whole)")
        }

        @Test(
            "each layout that input and encoder have in common goes through without a copy, bit by bit",
            arguments: ["NV12", "YU12", "YUYV", "UYVY", "XR24", "BGR4", "RGB4", "BX24", "XB24"])
        func common(code: String) throws {
            let fed = try FedPicture(code, width: Self.width, height: Self.height)
            try judge(code, "/dev/board/hdmi", fed, saying: "zero copy")
        }

        @Test(
            "so it does by the multi-planar interface, with one plane and with several",
            arguments: ["NV12", "NM12", "YM12", "YUYV", "XR24"])
        func multiplanar(code: String) throws {
            let fed = try FedPicture(code, width: Self.width, height: Self.height)
            try judge(code, "/dev/board/hdmi-planes", fed, saying: "zero copy")
        }

        @Test(
            "what the encoder does not take is converted once, bit by bit as our conversion says",
            arguments: ["NV16", "RGB3", "BGR3", "YV12"])
        func converted(code: String) throws {
            let full = ColorDescription(primaries: 1, transfer: 1, matrix: 0, isFullRange: true)
            let converted: (PixelFormat, ColorDescription)? =
                switch code {
                case "RGB3": (.rgb24, full)
                case "BGR3": (.bgr24, full)
                default: nil
                }
            let fed = try FedPicture(code, width: Self.width, height: Self.height, converted: converted)
            try judge(code, "/dev/board/hdmi", fed, saying: "converted")
        }
    }
}
