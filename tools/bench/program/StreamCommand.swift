import Capture
import Glibc
import Linux
import Media

/// `kinebox-bench y4m WIDTH HEIGHT RATE[/N] FRAMES`: the test picture as a YUV4MPEG2 stream on standard output, as fast as
/// it is taken. `kinebox-bench paint …` makes the same pictures, throws them away and prints what one costs.
enum StreamCommand {
    /// Runs the command.
    /// - Parameter arguments: those behind the command's name.
    /// - Returns: false when the arguments make no sense.
    static func run(_ arguments: [String], writing: Bool) throws -> Bool {
        guard arguments.count == 4, let width = Int(arguments[0]), let height = Int(arguments[1]),
            let count = Int64(arguments[3])
        else { return false }
        let ratio = arguments[2].split(separator: "/").compactMap { Int64($0) }
        guard let first = ratio.first, let rate = FrameRate(first, ratio.count > 1 ? ratio[1] : 1) else { return false }
        let pattern = try TestPattern(width: width, height: height, rate: rate, pace: .onDemand, frameCount: count)
        try pattern.start()
        if writing {
            let writer = try YUV4MPEG2Writer(to: 1, format: pattern.format)
            while let frame = try pattern.nextFrame() {
                try writer.write(frame)
                pattern.release(frame)
            }
            return true
        }
        var cost: [Int64] = []
        while true {
            let start = MonotonicTime.now
            guard let frame = try pattern.nextFrame() else { break }
            cost.append(MonotonicTime.now - start)
            pattern.release(frame)
        }
        cost.sort()
        guard let least = cost.first, let most = cost.last else { return true }
        print("figure paint_us_median \(cost[cost.count / 2] / 1000) us")
        print("least \(least / 1000) us, most \(most / 1000) us, \(cost.count) frames")
        return true
    }
}
