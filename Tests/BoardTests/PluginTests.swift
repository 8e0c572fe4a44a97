import Encoding
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
            defer { try? plugin(["off"]) }
            #expect(throws: (any Error).self) { try V4L2Device(opening: "/dev/video-encoder") }
            let found = HardwareEncoder.list()
            #expect(found.map(\.path) == ["/dev/video-encoder"])
            #expect(found.map(\.card) == ["encoder of a plugin"])
            #expect(found.first?.inputType.isMultiplanar == !options.isEmpty)
            try plugin(["off"])
            #expect(HardwareEncoder.list().map(\.card) == names)
        }

        private func plugin(_ words: [String]) throws {
            let ending = try ChildProcess("boardctl", ["plugin"] + words).wait()
            try #require(ending.exitCode == 0, "\(ending)")
        }
    }
}
