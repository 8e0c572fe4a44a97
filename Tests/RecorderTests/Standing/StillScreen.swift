import Capture
import Linux
import Media
import Synchronization

/// A source that gives a picture only when something changes, once a second, and when one is wanted: of a test picture that
/// runs like a display, sixty times a second.
final class StillScreen: VideoSource {
    /// What it gave and was asked for.
    final class Log: Sendable {
        private let times = Mutex<[MonotonicTime]>([])
        private let requests = Mutex(0)

        /// The times of the pictures that it gave.
        var given: [MonotonicTime] { times.withLock { $0 } }
        var wishes: Int { requests.withLock { $0 } }
        fileprivate func give(_ time: MonotonicTime) { times.withLock { $0.append(time) } }
        fileprivate func want() { requests.withLock { $0 += 1 } }
    }

    /// Nanoseconds from one picture to the next while nothing changes.
    static let interval: Int64 = 1_000_000_000

    let name = "still screen"
    let pace = Pace.live
    let givesOnlyChanges = true
    private let pattern: TestPattern
    private let log: Log
    private let changes: @Sendable (UInt64) -> Bool
    private let dies: UInt64
    private var blank: UInt64 = 0
    private(set) var unfencedFrames: UInt64 = 0
    private(set) var nearestFrames: UInt64 = 0
    private let isHasty: Bool
    private let keepsAnswer: Bool
    /// When it was last looked for a picture.
    private var lastLook: MonotonicTime?
    private var last: MonotonicTime?
    private var isWanted = true

    /// - Parameters:
    ///   - dies: the vertical blank from which on nothing comes.
    ///   - isHasty: whether its pictures are given out before they are done, and are scaled by the nearest pixel.
    ///   - keepsAnswer: whether a picture lies there from the second blank behind a look until the next look, as the answer of
    ///     a reader that was asked ahead.
    ///   - changes: whether something changes with a vertical blank.
    init(
        _ log: Log, dies: UInt64 = .max, isHasty: Bool = false, keepsAnswer: Bool = false,
        changes: @escaping @Sendable (UInt64) -> Bool = { _ in false }
    ) throws(Failure) {
        pattern = try TestPattern(width: 320, height: 240, rate: FrameRate(60) ?? .thirty)
        (self.log, self.dies, self.isHasty, self.changes) = (log, dies, isHasty, changes)
        self.keepsAnswer = keepsAnswer
    }

    var format: VideoFormat { pattern.format }
    var descriptor: Int32 { pattern.descriptor }
    var lostFrames: UInt64 { 0 }
    var isFinished: Bool { false }
    func start() throws(Failure) { try pattern.start() }
    func release(_ frame: VideoFrame) { pattern.release(frame) }
    func stop() { pattern.stop() }

    func requestPicture() {
        isWanted = true
        log.want()
    }

    func nextFrame() throws(Failure) -> VideoFrame? {
        guard let frame = try pattern.nextFrame() else { return nil }
        if keepsAnswer {
            let period = pattern.format.rate.nanoseconds(of: 1)
            let answer = lastLook.map { $0 + 2 * period } ?? frame.time
            lastLook = max(frame.time, .now)
            frame.time = min(frame.time, max(answer, last.map { $0 + 1 } ?? answer))
        }
        blank += 1
        let isOld = last.map { frame.time - $0 >= Self.interval } ?? true
        guard blank < dies, isWanted || isOld || changes(blank) else {
            pattern.release(frame)
            return nil
        }
        (last, isWanted) = (frame.time, false)
        if isHasty { (unfencedFrames, nearestFrames) = (unfencedFrames + 1, nearestFrames + 1) }
        log.give(frame.time)
        return frame
    }
}
