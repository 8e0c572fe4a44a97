import Encoding
import Glibc
import Judges
import Testing
import V4L2

extension BoardTests {
    @Suite("Encoder of a plugin of libv4l2")
    struct PluginTests {
        @Test(
            "an encoder that the kernel does not know is found through the library alone",
            arguments: [[], ["--planes"]])
        func list(options: [String]) throws {
            let names = HardwareEncoder.list().map(\.card)
            try plugin(["on"] + options)
            defer { _ = try? plugin(["off"]) }
            #expect(throws: (any Error).self) { try V4L2Device(opening: "/dev/video-encoder") }
            let found = HardwareEncoder.list()
            #expect(found.map(\.path) == ["/dev/video-encoder"])
            #expect(found.map(\.card) == ["encoder of a plugin"])
            #expect(found.first?.inputType.isMultiplanar == !options.isEmpty)
            try plugin(["off"])
            #expect(HardwareEncoder.list().map(\.card) == names)
        }

        @Test(
            "a recording through the plugin shows what was fed, bit by bit, and all its buffers went through the library",
            arguments: [[], ["--planes"]])
        func record(options: [String]) throws {
            let input = options.isEmpty ? "/dev/board/hdmi" : "/dev/board/hdmi-planes"
            try plugin(["on"] + options)
            defer { _ = try? plugin(["off"]) }
            try Board.hdmi(input, "feed", "NV12", "1280x720@30")
            defer { try? Board.hdmi(input, "unfeed") }
            let file = "/tmp/plugin.mp4"
            defer { unlink(file) }
            let ending = try Kinebox.run(
                "record", "--video", input, "--audio", "none", "--encoder", "hardware", "--pixel-format", "NV12",
                "--duration", "1", file)
            try #require(ending.exitCode == 0, "\(ending)")
            #expect(ending.errors.contains("zero copy"), "\(ending.errors)")
            let check = try Kinebox.run("check", file)
            #expect(check.exitCode == 0, "\(check)")
            let found = try RecordedPictures(of: file, FedPicture("NV12", width: 1280, height: 720))
            #expect(
                found.wrong == 0 && found.numbers.count >= 10 && found.numbers == found.numbers.sorted(), "\(found)")
            let calls = try plugin(["calls"]).split(separator: "\n").map { Int($0.drop { !$0.isNumber }) ?? 0 }
            // Each picture is a buffer that goes in and one that comes out.
            #expect(calls.count == 2 && calls.allSatisfy { $0 >= 2 * found.numbers.count }, "\(calls)")
        }

        @discardableResult
        private func plugin(_ words: [String]) throws -> String {
            let ending = try ChildProcess("boardctl", ["plugin"] + words).wait()
            try #require(ending.exitCode == 0, "\(ending)")
            return ending.text
        }
    }
}
