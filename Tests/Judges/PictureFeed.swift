import Capture
import Glibc
import Linux
import Media
import Synchronization

/// Feeds the test picture as YUV4MPEG2 into a pipe, from a thread of its own: the standard input of `--video -`.
public final class PictureFeed {
    /// What is fed.
    public struct Picture: Sendable {
        public var width: Int
        public var height: Int
        public var rate: FrameRate
        /// Pictures until the end of the stream.
        public var count: Int64

        public init(width: Int = 320, height: Int = 240, rate: FrameRate = .thirty, count: Int64) {
            self.width = width
            self.height = height
            self.rate = rate
            self.count = count
        }
    }

    /// The end of the pipe that a program reads.
    public let input: Int32
    /// Pictures that are wholly in the pipe, or were read from it.
    public var pictures: Int64 { progress.written.load(ordering: .acquiring) }

    private var readingEnd: FileDescriptor?
    private let progress = Progress()
    private var thread: Linux.Thread?

    /// Begins to feed.
    /// - Parameters:
    ///   - picture: what is fed.
    ///   - isLive: true to feed each picture when its time comes, false to feed as fast as the pipe takes them.
    /// - Throws: `Errno`.
    public init(_ picture: Picture, isLive: Bool = false) throws {
        // The reader may be killed at any moment, and the feeder then ends by EPIPE.
        signal(SIGPIPE, SIG_IGN)
        let path = "/tmp/kinebox-pipe-\(UInt64.random(in: 0 ... .max))"
        guard mkfifo(path, 0o600) == 0 else { throw Errno.last }
        defer { unlink(path) }
        // A pipe with a name is opened close-on-exec by both sides, so that no other child holds it open. The first
        // descriptor only keeps the second and third from waiting for each other.
        let both = try FileDescriptor.open(path, O_RDWR)
        let readingEnd = try FileDescriptor.open(path, O_RDONLY)
        input = readingEnd.raw
        self.readingEnd = consume readingEnd
        let writingEnd = try FileDescriptor.open(path, O_WRONLY).release()
        _ = both.raw
        let progress = progress
        thread = try Linux.Thread("feed") {
            let pipe = FileDescriptor(owning: writingEnd)
            try? Self.feed(picture, isLive: isLive, into: pipe, progress)
        }
    }

    deinit {
        progress.isEnding.store(true, ordering: .releasing)
        // A thread that waits for a reader is woken by EPIPE once there is none.
        readingEnd = nil
        thread.take()?.join()
    }

    private final class Progress: Sendable {
        let written = Atomic<Int64>(0)
        let isEnding = Atomic<Bool>(false)
    }

    private static func feed(
        _ picture: Picture, isLive: Bool, into pipe: borrowing FileDescriptor, _ progress: Progress
    ) throws {
        let source = try TestPattern(
            width: picture.width, height: picture.height, rate: picture.rate, pixelFormat: .yuv420, pace: .onDemand,
            frameCount: picture.count)
        let writer = try YUV4MPEG2Writer(to: pipe.raw, format: source.format)
        try source.start()
        let start = MonotonicTime.now
        while !source.isFinished, !progress.isEnding.load(ordering: .acquiring) {
            guard let frame = try source.nextFrame() else { continue }
            defer { source.release(frame) }
            if isLive { sleep(until: start + picture.rate.nanoseconds(of: Int64(frame.sequence))) }
            try writer.write(frame)
            progress.written.add(1, ordering: .releasing)
        }
    }

    private static func sleep(until moment: MonotonicTime) {
        let left = moment - .now
        if left > 0 { usleep(useconds_t(left / 1000)) }
    }
}
