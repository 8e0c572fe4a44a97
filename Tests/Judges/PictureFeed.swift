import Capture
import Glibc
import Linux
import Media

/// Feeds the test picture as YUV4MPEG2 into a pipe, from a thread of its own: the standard input of `--video -`.
public final class PictureFeed {
    /// What is fed.
    public struct Picture: Sendable {
        public var width: Int
        public var height: Int
        public var rate: FrameRate
        /// Pictures until the end of the stream.
        public var count: Int64
        /// Whether the stream falls silent after its last picture instead of ending.
        public var staysOpen: Bool

        public init(
            width: Int = 320, height: Int = 240, rate: FrameRate = .thirty, count: Int64, staysOpen: Bool = false
        ) {
            self.width = width
            self.height = height
            self.rate = rate
            self.count = count
            self.staysOpen = staysOpen
        }
    }

    /// The end of the pipe that a program reads.
    public var input: Int32 { pipe.input }
    /// Pictures that are wholly in the pipe, or were read from it.
    public var pictures: Int64 { pipe.written }
    private let pipe: PipeFeed

    /// Begins to feed.
    /// - Parameters:
    ///   - picture: what is fed.
    ///   - isLive: true to feed each picture when its time comes, false to feed as fast as the pipe takes them.
    /// - Throws: `Errno`.
    public init(_ picture: Picture, isLive: Bool = false) throws {
        pipe = try PipeFeed { descriptor, progress in
            try? Self.feed(picture, isLive: isLive, into: descriptor, progress)
        }
    }

    private static func feed(
        _ picture: Picture, isLive: Bool, into descriptor: Int32, _ progress: PipeFeed.Progress
    ) throws {
        let source = try TestPattern(
            width: picture.width, height: picture.height, rate: picture.rate, pixelFormat: .yuv420, pace: .onDemand,
            frameCount: picture.count)
        let writer = try YUV4MPEG2Writer(to: descriptor, format: source.format)
        try source.start()
        let start = MonotonicTime.now
        while !source.isFinished, !progress.isEnding.load(ordering: .acquiring) {
            guard let frame = try source.nextFrame() else { continue }
            defer { source.release(frame) }
            if isLive { sleep(until: start + picture.rate.nanoseconds(of: Int64(frame.sequence))) }
            try writer.write(frame)
            progress.written.add(1, ordering: .releasing)
        }
        while picture.staysOpen, !progress.isEnding.load(ordering: .acquiring) { usleep(10_000) }
    }

    private static func sleep(until moment: MonotonicTime) {
        let left = moment - .now
        if left > 0 { usleep(useconds_t(left / 1000)) }
    }
}
