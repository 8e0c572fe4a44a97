import Glibc
import Judges
import Testing

@testable import MP4

@Suite("Whatever bytes a file has, reading it ends and says something")
struct FuzzTests {
    let folder = TemporaryFolder(isInMemory: true)

    /// Small files of each kind, so that damage falls where it matters.
    private func goodFiles() throws -> [[UInt8]] {
        let picture = ["-f", "lavfi", "-i", "testsrc2=size=64x48:rate=30:duration=2"]
        return try [["-movflags", "0"], ["-movflags", "frag_keyframe+empty_moov+default_base_moof"]].map { options in
            let path = folder.file("small.mp4")
            try ForeignFile.run(
                "ffmpeg", picture + ForeignFile.sound + ForeignFile.codecs + ["-g", "15"] + options + [path])
            return contents(of: path)
        }
            + [true, false].map { isFinished in
                let path = folder.file("ours-\(isFinished).mp4")
                let streams = [
                    try EncodedStream.video(width: 64, height: 48, frames: 60, gop: 15),
                    try EncodedStream.audio(seconds: 2),
                ]
                let part = try Recorded.unfinished(streams, at: path, fragmentSeconds: 0.5)
                if isFinished { _ = try part.finalise() }
                return contents(of: path)
            }
    }

    @Test("a few hundred hostile files, the same ones each time")
    func fixed() throws {
        let sources = try goodFiles().map { HostileFile(of: $0) }
        let path = folder.file("hostile.mp4")
        var faulty = 0
        for number in 0..<UInt64(400) {
            let source = sources[Int(number) % sources.count]
            write(source.bytes(number: number), to: path)
            if let report = try? Checker.check(path: path) {
                faulty += report.faults.isEmpty ? 0 : 1
                #expect(report.faults.count <= 5 * FaultCode.allCases.count)
            }
            if let result = try? Recovery.recover(path: path, isThorough: true), result != .removedEmpty {
                #expect(
                    try Recovery.recover(path: path) == .alreadyFinal,
                    "file \(number): what recovery finished is finished")
                #expect(try Checker.check(path: path).state == .finished)
            }
            unlink(path)
        }
        #expect(faulty > 200, "most damage is found")
    }

    @Test("hostile files for a minute, within 64 MB, without a crash or a hang")
    func forAMinute() throws {
        var paths: [String] = []
        for (number, bytes) in try goodFiles().enumerated() {
            paths.append(folder.file("good-\(number).mp4"))
            write(bytes, to: paths[number])
        }
        let seconds = getenv("KINEBOX_FUZZ_SECONDS").flatMap { Int(String(cString: $0)) } ?? 60
        let first = 1_000
        let arguments = ["fuzz", "--seconds", "\(seconds)", "--first", "\(first)"] + paths
        let ending = try ChildProcess(Kinebox.benchPath, arguments, environment: ["SWIFT_BACKTRACE=enable=no"])
            .wait(atMost: Int64(seconds) + 120)
        try #require(ending.exitCode == 0, "\(ending)")
        #expect(try #require(figure("files", in: ending)) > 10)
        #expect(try #require(figure("memory_mb", in: ending)) <= 64)
    }

    /// A line "figure NAME VALUE UNIT".
    private func figure(_ name: String, in ending: Ending) -> Int? {
        for line in ending.text.split(separator: "\n") {
            let words = line.split(separator: " ")
            if words.count >= 3, words[0] == "figure", words[1] == name { return Int(words[2]) }
        }
        return nil
    }
}
