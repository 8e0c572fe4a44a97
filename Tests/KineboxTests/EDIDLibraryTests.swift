import Glibc
import Judges
import Media
import Testing
import V4L2

@testable import kinebox

@Suite("EDIDs that come with the program")
struct EDIDLibraryTests {
    private static let names = ["1080p30", "1080p50", "1080p60", "1080p60-420", "720p60"]

    @Test("all of them are found beside the program's checkout")
    func found() {
        #expect(EDIDLibrary.names() == Self.names)
    }

    /// The bytes in a file, for programs that read such.
    private func file(_ edid: EDID, in folder: TemporaryFolder) throws -> String {
        let path = folder.file("edid.bin")
        let spelled = edid.bytes.map { "\\x" + String($0 + 0, radix: 16) }.joined()
        try #require(try ChildProcess("bash", ["-c", "printf '\(spelled)' >\"$0\"", path]).wait().exitCode == 0)
        return path
    }

    @Test("edid-decode finds no failure, and reads what we mean", arguments: names)
    func judged(name: String) throws {
        let folder = try TemporaryFolder()
        let edid = try EDIDLibrary.edid(name)
        #expect(edid.blockCount == 2)
        let ending = try ChildProcess("edid-decode", ["--check", try file(edid, in: folder)]).wait()
        #expect(ending.exitCode == 0 && ending.text.contains("EDID conformity: PASS"), "\(ending)")
        let size = name.hasPrefix("720") ? "1280x720" : "1920x1080"
        let rate = name.drop { $0 != "p" }.dropFirst().prefix(2)
        let words = ending.text.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
        #expect(words.contains { $0.hasPrefix("DTD 1: \(size) \(rate).000000 Hz 16:9") }, "\(ending.text)")
        #expect(words.contains("Display Product Name: 'Kinebox'"))
        #expect(words.contains("Vendor-Specific Data Block (HDMI), OUI 00-0C-03:"))
        #expect(words.contains("Max channels: 2") && words.contains("Supported sample rates (kHz): 48"))
        #expect(words.contains { $0.hasPrefix("YCbCr 4:2:0 Video Data Block") } == name.hasSuffix("-420"))
    }

    @Test("a file of one's own may be bytes or text")
    func ownFile() throws {
        let folder = try TemporaryFolder()
        let edid = try EDIDLibrary.edid("720p60")
        #expect(try EDIDLibrary.edid(try file(edid, in: folder)) == edid)
        let text = folder.file("mine")
        let spelled = edid.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
        try #require(
            try ChildProcess("bash", ["-c", "printf '# mine\\r\\n\(spelled) # all\\n' >\"$0\"", text]).wait().exitCode
                == 0)
        #expect(try EDIDLibrary.edid(text) == edid)
    }

    @Test("what is none is refused, and the ones that there are are named")
    func refused() throws {
        let folder = try TemporaryFolder()
        func failure(_ name: String) -> Failure? {
            do throws(Failure) {
                _ = try EDIDLibrary.edid(name)
                return nil
            } catch {
                return error
            }
        }
        #expect(failure("1080p")?.mend.contains("1080p60") ?? false)
        #expect(failure("")?.kind == .invalidValue)
        #expect(failure(folder.file("none"))?.cause.contains("No such file") ?? false)
        #expect(failure("/etc/passwd")?.cause.contains("no byte in hexadecimal") ?? false)
        let short = folder.file("short")
        try #require(try ChildProcess("bash", ["-c", "head -c 128 /dev/zero >\"$0\"", short]).wait().exitCode == 0)
        #expect(failure(short)?.kind == .invalidValue)
    }

    @Test("an EDID that is no EDID is refused before anything is created")
    func command() throws {
        let folder = try TemporaryFolder()
        let ending = try Kinebox.run(
            "record", "--video", "test", "--edid", "1080p61", "--duration", "1", folder.file("never.mp4"))
        #expect(ending.exitCode == 2, "\(ending)")
        expectOneSentence(ending, naming: "1080p61")
        #expect(folder.names.isEmpty)
    }
}
