import MP4
import Recorder
import Testing

/// What lies in a recording's files.
enum Parts {
    /// The pictures of a file.
    static func samples(_ path: String) throws -> [Sample] {
        let movie = try MovieReader(path: path)
        var cursor = try movie.samples(ofTrack: 0)
        var samples: [Sample] = []
        while let sample = try cursor.next() { samples.append(sample) }
        return samples
    }

    /// Holds all parts against the strict checker.
    /// - Returns: nanoseconds of their pictures together.
    static func length(_ result: TakeResult) throws -> Int64 {
        var (length, count): (Int64, Int64) = (0, 0)
        for path in result.paths {
            let report = try Checker.check(path: path)
            #expect(report.faults.isEmpty, "\(report.faults)")
            #expect(abs(report.tracks[0].duration - report.tracks[1].duration) < 22_000_000, "\(report.tracks)")
            (length, count) = (length + report.tracks[0].duration, count + report.tracks[0].sampleCount)
        }
        #expect(count == result.encodedFrames, "no picture is lost or doubled")
        return length
    }
}
