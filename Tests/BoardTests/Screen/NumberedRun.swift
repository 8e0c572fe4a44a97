import Capture
import Glibc
import KMS
import Linux
import Media
import V4L2

/// Takes what a screen shows, as the pipeline does, and reads the number that each picture carries.
final class NumberedRun {
    /// What came of a picture.
    struct Taken {
        /// Nil where it carries none.
        var number: UInt32?
        var time: MonotonicTime
        var isSlate: Bool
        /// Whether it is the framebuffer itself: nothing was copied.
        var isShown: Bool
    }

    let screen: Screen
    private(set) var taken: [Taken] = []
    /// Pictures that show what none before them did. Where nothing changes, the same picture comes again each second.
    private(set) var changed: [Taken] = []
    private(set) var changes: [SourceChange] = []
    private var strip: [UInt8] = []

    /// - Parameters:
    ///   - rate: pictures a second; nil for the display's own.
    init(_ rate: Int? = nil, reader: @escaping Screen.Reader = NumberedRun.card) throws {
        screen = try Screen(reader: reader, rate: rate.flatMap { FrameRate(Int64($0)) })
        _ = try screen.choose(try screen.offers()[0])
        try screen.prepare(.device)
        try screen.start()
    }

    /// Reads the board's screen in this process.
    static var card: Screen.Reader { { () throws(Failure) in try CardReader(connector: nil) } }

    /// Goes on with all of them until a condition holds.
    /// - Returns: false when that took longer than so many seconds.
    static func go(_ runs: [NumberedRun], atMost seconds: Int, until isEnough: () -> Bool) throws -> Bool {
        let epoll = try Epoll()
        for (place, run) in runs.enumerated() {
            try epoll.add(run.screen.descriptor, for: .readable, token: UInt64(2 * place))
            try epoll.add(run.screen.signalDescriptor, for: .readable, token: UInt64(2 * place + 1))
        }
        let end = MonotonicTime.now + Int64(seconds) * 1_000_000_000
        while !isEnough() {
            guard MonotonicTime.now < end else { return false }
            var ready: UInt64 = 0
            try epoll.wait(milliseconds: 500) { token, _ in ready |= 1 << token }
            for (place, run) in runs.enumerated() {
                if ready >> UInt64(2 * place + 1) & 1 == 1 { run.watch() }
                if ready >> UInt64(2 * place) & 1 == 1 { try run.take() }
            }
        }
        return true
    }

    private func watch() {
        screen.watchSignal()
        takeChanges()
    }

    private func take() throws {
        guard let frame = try screen.nextFrame() else { return takeChanges() }
        defer { screen.release(frame) }
        let (width, height) = (screen.format.width, screen.format.height)
        let number = frame.isSlate ? nil : try number(in: frame, width, height)
        let picture = Taken(
            number: number, time: frame.time, isSlate: frame.isSlate,
            isShown: frame.planes.isEmpty && !frame.buffers.isEmpty)
        if isNew(picture) { changed.append(picture) }
        taken.append(picture)
    }

    private func isNew(_ picture: Taken) -> Bool {
        guard picture.number != nil else { return false }
        guard let last = changed.last, let before = taken.last else { return true }
        return last.number != picture.number || picture.time - before.time < 900_000_000
    }

    private func takeChanges() {
        while let change = screen.nextChange() { changes.append(change) }
    }

    /// Looks at no more than the lines with the number: each page that is looked at for the first time is a fault.
    private func number(in frame: VideoFrame, _ width: Int, _ height: Int) throws -> UInt32? {
        let lines = FrameNumberStrip.height(ofPicture: height)
        let bytesPerLine = (try screen.offers().first ?? V4L2Format(width: width, height: height, fourcc: 0)).planes[0]
            .bytesPerLine
        // A driver's pages are found by their place in the map: it has to begin where the memory does.
        let size = height * bytesPerLine
        guard let map = mmap(nil, size, PROT_READ, MAP_SHARED, frame.buffers[0].descriptor, 0), map != MAP_FAILED
        else { throw Errno.last }
        defer { munmap(map, size) }
        // The blocks are black or white: one of a pixel's bytes tells all.
        strip = [UInt8](repeating: 0, count: width * height)
        for line in 0..<lines {
            let from = (map + (height - lines + line) * bytesPerLine).assumingMemoryBound(to: UInt8.self)
            for column in 0..<width { strip[(height - lines + line) * width + column] = from[4 * column] }
        }
        return strip.withUnsafeBufferPointer { samples in
            samples.baseAddress.flatMap {
                FrameNumberStrip.read($0, bytesPerLine: width, width: width, height: height)
            }
        }
    }

    /// The numbers in their order.
    var numbers: [Int] { changed.compactMap { $0.number.map(Int.init) } }

    /// Numbers that do not follow on smaller ones.
    var doubled: [Int] { zip(numbers, numbers.dropFirst()).filter { $0 >= $1 }.map(\.1) }
}
