import Glibc
import Linux
import Media

/// One recording that is killed, played as it lies, and recovered.
public struct KillTrial: Sendable {
    /// Pictures that had been handed to the recorder at the moment of the kill.
    public var captured: Int64
    /// Pictures in the recovered file.
    public var recovered: Int64
    /// Whether a player showed pictures of the file as the kill left it.
    public var playsAsItLies: Bool
    /// What is wrong with the recovered file, a line each; empty when nothing is.
    public var faults: [String]

    private static let picture = PictureFeed.Picture(width: 320, height: 180, rate: .thirty, count: 3600)

    /// What had been captured and is not in the recovered file, in milliseconds.
    public var lostMilliseconds: Int64 {
        (Self.picture.rate.nanoseconds(of: captured) - Self.picture.rate.nanoseconds(of: recovered)) / 1_000_000
    }

    /// Records in real time and kills.
    /// - Parameter delay: milliseconds from the first fragment in the file to the kill.
    /// - Throws: `Errno` when a program that is needed is not there; `Failure` when the recording does not begin.
    public init(after delay: Int) throws {
        let folder = try TemporaryFolder()
        let file = folder.file("killed.mp4")
        let feed = try PictureFeed(Self.picture, isLive: true)
        let recording = try Kinebox.start(
            ["record", "--video", "-", "--audio", "tone", "--preset", "ultrafast", file], input: feed.input)
        try Self.waitForFragment(in: file, of: recording)
        usleep(useconds_t(delay * 1000))
        recording.send(SIGKILL)
        captured = feed.pictures
        _ = recording.wait()

        playsAsItLies = try Judge.ffprobe.verdict(on: file, audioTracks: 1).pictures.map { $0 > 0 } ?? false
        let lying = try DecodedPictures(of: file, width: Self.picture.width, height: Self.picture.height)
        playsAsItLies = playsAsItLies && !lying.numbers.isEmpty && lying.numbers.first == 0

        faults = []
        let recovery = try Kinebox.run("recover", file)
        if recovery.exitCode != 0 { faults.append("recover: \(recovery)") }
        let check = try Kinebox.run("check", file)
        if check.exitCode != 0 { faults.append("check: \(check)") }
        faults += try Judge.fullDecode.verdict(on: file, audioTracks: 1).faults
        let pictures = try DecodedPictures(of: file, width: Self.picture.width, height: Self.picture.height)
        faults += pictures.faults
        if pictures.numbers.first != 0 { faults.append("the recovered file does not begin with the first picture") }
        recovered = Int64(pictures.numbers.count)
    }

    private static func waitForFragment(in file: String, of recording: ChildProcess) throws {
        let limit = MonotonicTime.now + 30_000_000_000
        while !contains("moof", in: file) {
            guard recording.isRunning, MonotonicTime.now < limit else {
                throw Failure(
                    .internalFault, "cannot kill a recording", because: "it never began: \(recording.errorsSoFar)")
            }
            usleep(2000)
        }
    }

    /// Whether the first 64 KiB of a file contain a box type.
    private static func contains(_ type: String, in file: String) -> Bool {
        guard let descriptor = try? FileDescriptor.open(file, O_RDONLY) else { return false }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count =
            (try? bytes.withUnsafeMutableBytes { all throws(Errno) in try descriptor.read(into: all, at: 0) }) ?? 0
        let wanted = Array(type.utf8)
        return (0..<max(count - 3, 0)).contains { bytes[$0..<($0 + 4)].elementsEqual(wanted) }
    }
}
