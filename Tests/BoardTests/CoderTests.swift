import Judges
import Testing

extension OutsideTests {
    /// The coder inside the board's encoder knows no kernel: it is built as a program here, and its streams are decoded.
    @Test("what the encoder's coder writes is decoded bit by bit, whatever the format, size, profile and picture")
    func coder() throws {
        let checkout = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
        let ending = try ChildProcess("make", ["-s", "-C", "\(checkout)/board/virtual/h264-encoder", "check"])
            .wait(atMost: 300)
        #expect(ending.exitCode == 0, "\(ending)")
        #expect(ending.text.contains("streams decode bit by bit"), "\(ending)")
    }
}
