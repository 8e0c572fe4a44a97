import Encoding
import Judges
import Testing

@Suite("Who encodes")
struct EncoderChoiceTests {
    @Test(
        "hardware that is not there is refused in a sentence, and nothing is created",
        .enabled(if: HardwareEncoder.list().isEmpty, "only a machine without an encoder can refuse one"))
    func refused() throws {
        let folder = try TemporaryFolder()
        let ending = try Kinebox.run(
            "record", "--video", "test", "--encoder", "hardware", "--duration", "1", folder.file("never.mp4"))
        #expect(ending.exitCode == 1, "\(ending)")
        expectOneSentence(ending, naming: "no H.264 encoder")
        #expect(folder.names.isEmpty)
    }

    @Test("software, as asked, is told")
    func software() throws {
        let folder = try TemporaryFolder()
        let ending = try Kinebox.run(
            "record", "--video", "test", "--encoder", "software", "--duration", "0.3", folder.file("a.mp4"))
        #expect(
            ending.exitCode == 0 && ending.errors.contains("(software: the processor encodes, as asked)\n"), "\(ending)"
        )
    }
}
