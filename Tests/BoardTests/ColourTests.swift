import Glibc
import Judges
import Testing

extension BoardTests {
    @Suite("Colour")
    struct ColourTests {
        /// Larger than what the board's converter takes, which tells nothing of the matrix that it uses.
        private static let (width, height) = (1280, 720)

        /// What comes in by HDMI: the driver's menu entries, and the names that judges have for them.
        struct Signal: Sendable, CustomTestStringConvertible {
            var colorspace: Int
            var encoding: Int
            var quantization: Int
            var matrix: String
            var primaries: String
            var range: String

            var testDescription: String { "\(matrix), \(range == "pc" ? "full" : "limited") range" }
        }

        static let signals = [
            Signal(
                colorspace: 0, encoding: 1, quantization: 2, matrix: "smpte170m", primaries: "smpte170m", range: "tv"),
            Signal(
                colorspace: 0, encoding: 1, quantization: 1, matrix: "smpte170m", primaries: "smpte170m", range: "pc"),
            Signal(colorspace: 1, encoding: 2, quantization: 2, matrix: "bt709", primaries: "bt709", range: "tv"),
            Signal(colorspace: 1, encoding: 2, quantization: 1, matrix: "bt709", primaries: "bt709", range: "pc"),
        ]

        /// The bars from left to right: white, yellow, cyan, green, magenta, red, blue, black.
        private static let bars: [[Int]] = [
            [255, 255, 255], [255, 255, 0], [0, 255, 255], [0, 255, 0], [255, 0, 255], [255, 0, 0], [0, 0, 255],
            [0, 0, 0],
        ]

        private func show(_ signal: Signal, on device: String) throws {
            let controls = [
                "test_pattern=1", "osd_text_mode=2", "colorspace=\(signal.colorspace)",
                "y_cbcr_encoding=\(signal.encoding)", "quantization=\(signal.quantization)",
            ]
            try Board.shell("v4l2-ctl -d \(device) -c \(controls.joined(separator: ","))")
        }

        private func restore(_ device: String) throws {
            try Board.shell(
                "v4l2-ctl -d \(device) -c test_pattern=0,osd_text_mode=0,colorspace=1,y_cbcr_encoding=0,quantization=0")
        }

        /// What a judge says that a file's samples mean: range, matrix, primaries.
        private func meaning(of file: String) throws -> [String] {
            try Board.run(
                "ffprobe", "-v", "error", "-select_streams", "v", "-show_entries",
                "stream=color_range,color_space,color_primaries", "-of", "default=nw=1:nk=1", file
            ).text.split(separator: "\n").map(String.init)
        }

        /// The colour in the middle of each bar of a file's last picture, as a player shows it.
        private func colors(of file: String) throws -> [[Int]] {
            let (width, height) = (Self.width, Self.height)
            let picture = try Board.run(
                "ffmpeg", "-nostdin", "-v", "error", "-i", file, "-sws_flags", "accurate_rnd+full_chroma_int",
                "-pix_fmt", "rgb24", "-f", "rawvideo", "-"
            ).output.suffix(width * height * 3)
            guard picture.count == width * height * 3 else { return [] }
            return (0..<8).map { bar in
                let first = picture.startIndex + (height / 2 * width + bar * width / 8 + width / 16) * 3
                return picture[first..<(first + 3)].map(Int.init)
            }
        }

        private func record(_ signal: Signal, _ device: String, _ options: [String]) throws {
            let file = "/tmp/colour.mp4"
            let stream = "/tmp/colour.h264"
            try Board.hdmi(device, "on", "\(Self.width)x\(Self.height)@60")
            // Setting other timings would take the driver's colours back to what is usual for them.
            try Board.shell("v4l2-ctl -d \(device) --set-dv-bt-timings query >/dev/null")
            try show(signal, on: device)
            let ending = try Kinebox.start(
                ["record", "--video", device, "--audio", "none", "--duration", "1"] + options + [file]
            ).wait()
            try restore(device)
            try #require(ending.exitCode == 0, "\(ending)")
            let check = try Kinebox.run("check", file)
            #expect(check.exitCode == 0, "\(check)")
            let isRGB = options.contains { $0.hasPrefix("RGB") || $0.hasPrefix("BGR") || $0.hasPrefix("XR") }
            // What comes in as R'G'B' is made Y'CbCr of limited range here; it is said what it was made.
            let told = try meaning(of: file)
            if isRGB {
                #expect(told.first == "tv" && ["smpte170m", "bt709"].contains(told.dropFirst().first))
            } else {
                #expect(told == [signal.range, signal.matrix, signal.primaries])
            }
            try Board.shell("ffmpeg -nostdin -v error -y -i \(file) -c copy -bsf:v h264_mp4toannexb \(stream)")
            #expect(try meaning(of: stream) == told, "the stream and the file say the same")
            let colors = try colors(of: file)
            try #require(colors.count == 8)
            for (bar, expected) in zip(colors, Self.bars) {
                let worst = zip(bar, expected).map { abs($0 - $1) }.max() ?? 255
                // The driver keeps chroma of full range below 255, which costs the purest blue four steps.
                #expect(worst <= 4, "\(bar) instead of \(expected)")
            }
            unlink(file)
            unlink(stream)
        }

        @Test("bars by hardware decode to their colours, and file and stream say what they are", arguments: signals)
        func hardware(signal: Signal) throws {
            for device in ["/dev/board/hdmi", "/dev/board/hdmi-planes"] {
                try record(signal, device, ["--encoder", "hardware", "--pixel-format", "NV12"])
            }
            try record(signal, "/dev/board/hdmi", ["--encoder", "hardware", "--pixel-format", "YUYV"])
        }

        @Test("bars by software decode to their colours, and file and stream say what they are", arguments: signals)
        func software(signal: Signal) throws {
            try record(signal, "/dev/board/hdmi", ["--encoder", "software", "--pixel-format", "YUYV"])
        }

        @Test(
            "bars that come in as R'G'B' decode to their colours, whoever converts them",
            arguments: signals, ["RGB3", "BGR4"])
        func rgb(signal: Signal, format: String) throws {
            try record(signal, "/dev/board/hdmi", ["--encoder", "hardware", "--pixel-format", format])
        }
    }
}
