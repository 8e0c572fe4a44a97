import Judges
import Testing

@testable import MP4

@Suite("The checker names damage")
struct CheckingDamageTests {
    let folder = TemporaryFolder(isInMemory: true)

    @Test(
        "and finds none in the files that are damaged here",
        arguments: [GoodFile.progressive, .fragmented, .finished, .described])
    func undamaged(_ file: GoodFile) throws {
        let path = folder.file("good.mp4")
        write(try file.bytes(), to: path)
        let report = try Checker.check(path: path)
        #expect(report.faults == [])
        #expect(report.tracks.map(\.sampleCount).first == 60)
        #expect(report.state == ([.finished, .described].contains(file) ? .finished : .foreign))
    }

    @Test("each kind by its own code", arguments: Damage.all)
    func damaged(_ damage: Damage) throws {
        var editor = BoxEditor(bytes: try damage.file.bytes())
        damage.edit(&editor)
        let path = folder.file("damaged.mp4")
        write(editor.bytes, to: path)
        let faults = try Checker.check(path: path).faults
        #expect(faults.contains { $0.code == damage.code }, "found instead: \(faults)")
        #expect(faults.allSatisfy { !$0.message.isEmpty })
    }

    @Test("and there is damage for every code but those of a broken medium and of endless disorder")
    func complete() {
        let unmade = Set(FaultCode.allCases).subtracting(Damage.all.map(\.code))
        #expect(unmade == [.unreadable, .chunkOrder])
    }

    @Test("no other reader finds as much")
    func others() throws {
        // Damage that ffmpeg's full decode passes over in silence.
        let path = folder.file("damaged.mp4")
        var editor = BoxEditor(bytes: try GoodFile.progressive.bytes())
        editor.set32("moov/trak:0/tkhd", 80, 0)
        write(editor.bytes, to: path)
        let verdict = try Judge.fullDecode.verdict(on: path, audioTracks: 1)
        #expect(verdict.faults == [])
        #expect(try Checker.check(path: path).faults.map(\.code) == [.displaySize])
    }
}
