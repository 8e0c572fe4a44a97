import Glibc
import Judges
import Media
import Storage
import Testing

@Suite("Files of stills")
struct StillFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("are whole, and never written over")
    func whole() throws {
        let path = folder.file("a.jpg")
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        try StillFile.write(bytes, at: path)
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_size == 300_000)
        #expect { try StillFile.write([1], at: path) } throws: { ($0 as? Failure)?.kind == .fileExists }
        #expect(stat(path, &status) == 0 && status.st_size == 300_000)
    }

    @Test("say what is missing")
    func refused() {
        #expect { try StillFile.write([1], at: folder.file("none") + "/a.jpg") } throws: {
            ($0 as? Failure)?.kind == .noMedium
        }
        #expect { try StillFile.write([1], at: "/proc/a.jpg") } throws: {
            [.noMedium, .mediumReadOnly].contains(($0 as? Failure)?.kind)
        }
    }
}
