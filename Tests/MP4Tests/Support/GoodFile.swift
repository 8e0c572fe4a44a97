import Judges

@testable import MP4

/// Files in which nobody finds a fault, each made once.
enum GoodFile: String, CaseIterable, Sendable {
    /// By ffmpeg: tables at the end, B-frames, edit lists.
    case progressive
    /// By ffmpeg: in fragments.
    case fragmented
    /// By ourselves, finished.
    case finished
    /// By ourselves, finished, with chapters and texts about it.
    case described
    /// By ourselves, as a kill leaves it.
    case unfinished

    /// The file's bytes.
    func bytes() throws -> [UInt8] {
        switch self {
        case .progressive: try Self.progressiveBytes.get()
        case .fragmented: try Self.fragmentedBytes.get()
        case .finished: try Self.finishedBytes.get()
        case .described: try Self.describedBytes.get()
        case .unfinished: try Self.unfinishedBytes.get()
        }
    }

    private static let progressiveBytes = Result { try encoded(["-movflags", "0"]) }
    private static let fragmentedBytes = Result {
        try encoded(["-movflags", "frag_keyframe+empty_moov+default_base_moof"])
    }
    private static let finishedBytes = Result { try recorded(isFinished: true) }
    private static let describedBytes = Result { try described() }
    private static let unfinishedBytes = Result { try recorded(isFinished: false) }

    private static func encoded(_ options: [String]) throws -> [UInt8] {
        let folder = MP4Tests.TemporaryFolder(isInMemory: true)
        let path = folder.file("good.mp4")
        try ForeignFile.run(
            "ffmpeg",
            ForeignFile.picture + ForeignFile.sound + ForeignFile.codecs + ["-g", "15"] + options + [path])
        return contents(of: path)
    }

    private static func described() throws -> [UInt8] {
        let folder = MP4Tests.TemporaryFolder(isInMemory: true)
        let path = folder.file("good.mp4")
        _ = try Recorded.described([try .video(frames: 60), try .audio(seconds: 2)], at: path).finalise()
        return contents(of: path)
    }

    private static func recorded(isFinished: Bool) throws -> [UInt8] {
        let folder = MP4Tests.TemporaryFolder(isInMemory: true)
        let path = folder.file("good.mp4")
        let streams = [try EncodedStream.video(frames: 60), try EncodedStream.audio(seconds: 2)]
        let part = try Recorded.unfinished(streams, at: path)
        if isFinished { _ = try part.finalise() }
        return contents(of: path)
    }
}

/// Files that other programs write.
enum ForeignFile {
    /// Two seconds of a picture that moves.
    static let picture = ["-f", "lavfi", "-i", "testsrc2=size=320x240:rate=30:duration=2"]
    /// Two seconds of a tone.
    static let sound = ["-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000:duration=2"]
    static let codecs = [
        "-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset", "veryfast", "-threads", "1", "-c:a", "aac",
    ]

    /// What a program that should have made a file said when it did not.
    struct NotMade: Error {
        var ending: Ending
    }

    /// Has a program make a file.
    static func run(_ program: String, _ arguments: [String]) throws {
        let options = program.hasPrefix("gst-") ? ["-q"] : ["-nostdin", "-y", "-v", "error"]
        let ending = try ChildProcess(program, options + arguments).wait(atMost: 300)
        guard ending.exitCode == 0 else { throw NotMade(ending: ending) }
    }
}
