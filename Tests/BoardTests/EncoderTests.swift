import Judges
import Testing

extension BoardTests {
    @Suite("H.264 encoder")
    struct EncoderTests {
        @Test("the encoder has its names", arguments: ["encoder", "encoder-planes"])
        func name(of device: String) throws {
            try Board.shell("test -c /dev/board/\(device)")
        }

        /// The script prints a line for each thing it looks at; those that begin with FAIL are shown.
        @Test(
            "the encoder does what its README says",
            arguments: ["controls", "faults", "compliance", "exact", "zero_copy"])
        func section(_ section: String) throws {
            let ending = try ChildProcess("board/virtual/h264-encoder/tests/device.sh", [section]).wait(atMost: 300)
            #expect(ending.exitCode == 0, "\(ending)")
        }
    }
}
