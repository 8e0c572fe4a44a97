import Glibc
import Judges
import Linux
import Testing

/// What is no recording, or a broken one, is named and left as it is.
@Suite struct WrongFileTests {
    /// A box of MP4: its size as written, its type, its content.
    private static func box(_ size: UInt32, _ type: String, _ content: [UInt8] = []) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: size >> (24 - 8 * $0)) } + Array(type.utf8) + content
    }

    private static let fileType = box(24, "ftyp", Array("isom".utf8) + [0, 0, 2, 0] + Array("isommp41".utf8))

    struct Wrong: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var bytes: [UInt8]

        init(_ name: String, _ bytes: [UInt8]) {
            testDescription = name
            self.bytes = bytes
        }
    }

    static let wrong = [
        Wrong("empty", []),
        Wrong("a text", Array("This is not a film.\n".utf8)),
        Wrong("random bytes", (0..<5000).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 13) }),
        Wrong("one byte", [0]),
        Wrong("only a file type", fileType),
        Wrong("a box larger than any file", fileType + box(1, "moov", [0x7f] + [UInt8](repeating: 0xff, count: 7))),
        Wrong("a box smaller than its own head", fileType + box(4, "moov") + box(0, "mdat")),
        Wrong("a size beyond 64 bits", fileType + box(1, "mdat", [UInt8](repeating: 0xff, count: 8))),
        Wrong("boxes nested a thousand deep", fileType + nest(1000)),
        Wrong("a table with four thousand million entries", fileType + tableOfLies()),
    ]

    /// Boxes in boxes, each as long as what is left.
    private static func nest(_ depth: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        for level in 0..<depth {
            let type = level.isMultiple(of: 2) ? "moov" : "trak"
            bytes += box(UInt32(8 * (depth - level)), type)
        }
        return bytes
    }

    private static func tableOfLies() -> [UInt8] {
        let table = box(16, "stsz", [0, 0, 0, 0]) + [0xff, 0xff, 0xff, 0xff]
        return ["stbl", "minf", "mdia", "trak", "moov"].reduce(table) { inner, type in
            box(UInt32(inner.count + 8), type, inner)
        }
    }

    private static func make(_ bytes: [UInt8], in folder: TemporaryFolder) throws -> String {
        let file = folder.file("wrong.mp4")
        try create(file, bytes)
        return file
    }

    @Test(arguments: wrong)
    func aFileThatIsNoRecordingIsNamedAndLeftAsItIs(_ wrong: Wrong) throws {
        let folder = try TemporaryFolder()
        let file = try Self.make(wrong.bytes, in: folder)
        let check = try Kinebox.run("check", file)
        #expect(check.exitCode == 1, "\(check)")
        #expect((check.text + check.errors).contains(file), "\(check)")
        let recovery = try Kinebox.run("recover", file)
        #expect(recovery.exitCode == 1, "\(recovery)")
        #expect((recovery.text + recovery.errors).contains(file), "\(recovery)")
        #expect(folder.names == ["wrong.mp4"])
        #expect(try content(of: file) == wrong.bytes)
    }

    @Test(arguments: ["check", "recover"])
    func aFileThatDoesNotExistIsNamed(_ command: String) throws {
        let folder = try TemporaryFolder()
        let ending = try Kinebox.run(command, folder.file("absent.mp4"))
        #expect(ending.exitCode == 1, "\(ending)")
        #expect((ending.text + ending.errors).contains(folder.file("absent.mp4")), "\(ending)")
        #expect(folder.names.isEmpty)
    }

    @Test func aFinishedFileThatWasCutKeepsItsPictures() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("cut.mp4")
        let ending = try Kinebox.record(
            PictureFeed.Picture(width: 160, height: 120, count: 100), ["--audio", "tone", file])
        try #require(ending.exitCode == 0, "\(ending)")
        let whole = try FileDescriptor.open(file, O_RDWR)
        try whole.truncate(to: Int64(whole.status().st_size) - 100)
        let check = try Kinebox.run("check", file)
        #expect(check.exitCode == 1, "\(check)")
        let recovery = try Kinebox.run("recover", file)
        #expect(recovery.exitCode == 0, "\(recovery)")
        let pictures = try DecodedPictures(of: file, width: 160, height: 120)
        #expect(pictures.numbers.map { $0.map(Int.init) } == Array(0..<100))
    }
}
