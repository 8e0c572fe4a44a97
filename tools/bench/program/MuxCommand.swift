import Linux
import MP4
import Media

/// `kinebox-bench mux-copy IN.mp4 OUT.mp4`: the packets of a file put into another one as a recorder does it: a fragment a
/// second, each flushed, and the tables at the end. What `ffmpeg -c copy` is held against.
enum MuxCommand {
    /// Runs the command.
    /// - Parameter arguments: the two files.
    /// - Returns: false when the arguments make no sense.
    static func run(_ arguments: [String]) throws -> Bool {
        guard arguments.count == 2 else { return false }
        let reader = try MovieReader(path: arguments[0])
        let tracks = try reader.tracks.map { try track($0) }
        let part = try PartFile.create(at: arguments[1], session: Session(), part: 1)
        try part.begin(tracks: tracks)
        let assembler = FragmentAssembler(tracks: tracks)
        var feeds: [Feed] = []
        for number in tracks.indices { feeds.append(try Feed(reader, track: number)) }
        var second: Int64 = 1
        while true {
            for number in feeds.indices {
                try feeds[number].move(until: second * tracks[number].timescale, assembler)
            }
            guard let fragment = assembler.seal(nextTimes: feeds.map(\.nextTime)) else { break }
            try part.append([fragment])
            try part.flush()
            assembler.recycle(fragment)
            second += 1
        }
        _ = try part.finalise()
        return true
    }

    private static func track(_ track: MovieTrack) throws -> Track {
        if let sets = track.parameterSets {
            return .video(
                VideoTrack(
                    width: track.width, height: track.height, timescale: track.timescale, parameterSets: sets,
                    color: .bt709))
        }
        // AudioSpecificConfig of AAC-LC: its number for the rate, and the channels.
        let index = [48_000: 3, 44_100: 4, 32_000: 5][track.sampleRate]
        guard track.kind == .audio, let index else {
            throw Failure(.invalidValue, "cannot copy a track", because: "it is neither H.264 nor AAC")
        }
        let config = [UInt8(2 << 3 | index >> 1), UInt8(index & 1) << 7 | UInt8(track.channels) << 3]
        let format = AudioFormat(rate: track.sampleRate, channels: track.channels)
        return .audio(AudioTrack(format: format, specificConfig: config, bitrate: 160_000, name: "Programme"))
    }

    /// The samples of one track on their way.
    private struct Feed {
        private let reader: MovieReader
        private let track: Int
        private var cursor: SampleCursor
        private var waiting: Sample?
        /// The time at which the track goes on.
        private(set) var nextTime: Int64 = 0

        init(_ reader: MovieReader, track: Int) throws {
            self.reader = reader
            self.track = track
            cursor = try reader.samples(ofTrack: track)
            waiting = try cursor.next()
        }

        /// Moves the samples before a time into an assembler.
        mutating func move(until time: Int64, _ assembler: FragmentAssembler) throws {
            while let sample = waiting, sample.time < time {
                try assembler.append(
                    byteCount: Int(sample.size), track: track, time: sample.time, isSync: sample.isSync
                ) { place throws(Failure) in
                    _ = try reader.read(sample, into: place)
                }
                nextTime = sample.time + sample.duration
                waiting = try cursor.next()
            }
            if let sample = waiting { nextTime = sample.time }
        }
    }
}
