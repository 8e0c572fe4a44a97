import Media

@testable import MP4

/// Puts streams through assembler and file as a recorder does.
struct Recorded {
    let assembler: FragmentAssembler
    let streams: [EncodedStream]
    private var positions: [Int]

    init(_ streams: [EncodedStream]) {
        self.streams = streams
        assembler = FragmentAssembler(tracks: streams.map(\.track))
        positions = streams.map { _ in 0 }
    }

    /// The next fragment: what begins before a moment.
    /// - Parameter nanoseconds: the moment, from the start of the part.
    mutating func fragment(until nanoseconds: Int64) -> Fragment? {
        var next: [Int64] = []
        for (number, stream) in streams.enumerated() {
            let limit = rescale(nanoseconds, by: stream.track.timescale, over: 1_000_000_000)
            while positions[number] < stream.samples.count, stream.samples[positions[number]].time < limit {
                let sample = stream.samples[positions[number]]
                sample.bytes.withUnsafeBytes {
                    assembler.append($0, track: number, time: sample.time, isSync: sample.isSync)
                }
                positions[number] += 1
            }
            let isAtEnd = positions[number] == stream.samples.count
            next.append(isAtEnd ? stream.end : stream.samples[positions[number]].time)
        }
        return assembler.seal(nextTimes: next)
    }

    /// Writes everything, a fragment at a time.
    /// - Parameters:
    ///   - seconds: the length of a fragment.
    ///   - limit: the number of fragments after which it stops.
    mutating func write(to part: PartFile, fragmentSeconds seconds: Double = 1, limit: Int = .max) throws {
        try part.begin(tracks: streams.map(\.track))
        var count = 0
        while count < limit, let fragment = fragment(until: Int64(Double(count + 1) * seconds * 1_000_000_000)) {
            try part.append([fragment])
            try part.flush()
            assembler.recycle(fragment)
            count += 1
        }
    }

    /// Makes a file of streams and leaves it as a kill would.
    @discardableResult
    static func unfinished(
        _ streams: [EncodedStream], at path: String, session: Session = Session(), fragmentSeconds: Double = 1,
        limit: Int = .max
    ) throws -> PartFile {
        let part = try PartFile.create(at: path, session: session, part: 1)
        var recorded = Recorded(streams)
        try recorded.write(to: part, fragmentSeconds: fragmentSeconds, limit: limit)
        return part
    }

    /// What `described` says of the recording.
    static let metadata = RecordingMetadata(title: "Anatomie \u{2013} 4", author: "Dr. Ö", comment: "one\ntwo")

    /// Marks set in each second: titles, and nanoseconds from the start.
    static let marks: [[(String, Int64)]] = [
        [("", 600_000_000), ("Herz & Kreislauf", 800_000_000)], [("Fragen", 1_700_000_000)],
    ]

    /// Makes a file of streams with texts about it and with chapters.
    @discardableResult
    static func described(
        _ streams: [EncodedStream], at path: String, session: Session = Session(), marks: [[(String, Int64)]] = marks
    ) throws -> PartFile {
        let part = try PartFile.create(at: path, session: session, part: 1)
        var recorded = Recorded(streams)
        try part.begin(tracks: streams.map(\.track), metadata: metadata)
        for second in 0..<Int64.max {
            for (title, time) in second < marks.count ? marks[Int(second)] : [] {
                recorded.assembler.beginChapter(title, at: time)
            }
            guard let fragment = recorded.fragment(until: (second + 1) * 1_000_000_000) else { break }
            try part.append([fragment])
            try part.flush()
            recorded.assembler.recycle(fragment)
        }
        return part
    }

    /// Makes a file of streams and finishes it.
    @discardableResult
    static func finished(
        _ streams: [EncodedStream], at path: String, session: Session = Session(), fragmentSeconds: Double = 1,
        limit: Int = .max
    ) throws -> PartSummary {
        try unfinished(streams, at: path, session: session, fragmentSeconds: fragmentSeconds, limit: limit).finalise()
    }
}
