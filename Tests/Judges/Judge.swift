import Linux

/// A reader of MP4 files that we did not write.
public enum Judge: String, CaseIterable, Sendable {
    case ffprobe, fullDecode, gstreamer, mediainfo, pyav

    /// What the judge has to say about a file.
    public struct Verdict: Sendable {
        /// Whatever the judge complains of, a line each; empty when it finds no fault.
        public var faults: [String]
        /// Pictures that the judge counted; nil for a judge that does not count.
        public var pictures: Int?
        /// Audio tracks that the judge saw; nil for a judge that does not say.
        public var audioTracks: Int?
    }

    /// Has a file judged.
    /// - Parameters:
    ///   - file: the path of an MP4 file.
    ///   - audioTracks: how many audio tracks the file has.
    /// - Throws: `Errno` when the judge's program is not there; `tools/test` installs all of them.
    public func verdict(on file: String, audioTracks: Int) throws -> Verdict {
        switch self {
        case .ffprobe: try Self.probe(file)
        case .fullDecode: try Self.decode(file)
        case .gstreamer: try Self.demultiplex(file, audioTracks: audioTracks)
        case .mediainfo: try Self.inform(file)
        case .pyav: try Self.readWithPython(file)
        }
    }

    private static func probe(_ file: String) throws -> Verdict {
        let ending = try ChildProcess(
            "ffprobe",
            [
                "-v", "warning", "-count_packets", "-of", "csv=p=0",
                "-show_entries", "stream=codec_type,nb_read_packets", file,
            ]
        ).wait()
        var verdict = Verdict(faults: ending.complaintsOfProbe, pictures: nil, audioTracks: 0)
        for line in ending.text.split(separator: "\n") {
            let fields = line.split(separator: ",")
            if fields.first == "video" { verdict.pictures = fields.last.flatMap { Int($0) } }
            if fields.first == "audio" { verdict.audioTracks = (verdict.audioTracks ?? 0) + 1 }
        }
        return verdict
    }

    private static func decode(_ file: String) throws -> Verdict {
        let ending = try ChildProcess(
            "ffmpeg",
            [
                "-nostdin", "-v", "warning", "-xerror", "-err_detect", "explode", "-i", file, "-map", "0", "-f", "null",
                "-progress", "pipe:1", "-",
            ]
        ).wait()
        let counts = ending.text.split(separator: "\n").filter { $0.hasPrefix("frame=") }
        return Verdict(
            faults: ending.complaints, pictures: counts.last.flatMap { Int($0.dropFirst("frame=".count)) },
            audioTracks: nil)
    }

    private static func demultiplex(_ file: String, audioTracks: Int) throws -> Verdict {
        var arguments = ["-q", "filesrc", "location=\(file)", "!", "qtdemux", "name=d"]
        arguments += ["d.video_0", "!", "queue", "!", "h264parse", "!", "avdec_h264", "!", "fakesink", "sync=false"]
        for track in 0..<audioTracks {
            arguments += ["d.audio_\(track)", "!", "queue", "!", "aacparse", "!", "avdec_aac", "!", "fakesink"]
            arguments += ["sync=false"]
        }
        let warnings = ["GST_DEBUG=qtdemux:2,h264parse:2,aacparse:2", "GST_DEBUG_NO_COLOR=1"]
        let ending = try ChildProcess("gst-launch-1.0", arguments, environment: warnings).wait()
        // It notes each box that it has no use for, and each track of a file without fragments: both are no faults.
        let faults = ending.complaints.filter {
            !$0.contains("unknown QuickTime node type") && !$0.contains("failed to find fragment defaults")
        }
        return Verdict(faults: faults, pictures: nil, audioTracks: nil)
    }

    private static func inform(_ file: String) throws -> Verdict {
        let general = try ChildProcess(
            "mediainfo", ["--Inform=General;%IsTruncated%,%Format%,%AudioCount%", file]
        ).wait()
        let video = try ChildProcess("mediainfo", ["--Inform=Video;%Format%,%FrameCount%", file]).wait()
        let fields = general.firstFields
        let picture = video.firstFields
        var verdict = Verdict(faults: general.complaints + video.complaints, pictures: nil, audioTracks: nil)
        guard fields.count == 3, picture.count == 2 else {
            verdict.faults.append("mediainfo sees no MP4 file with a picture: \(general.text) \(video.text)")
            return verdict
        }
        if fields[0] == "Yes" { verdict.faults.append("mediainfo finds the file cut short") }
        if fields[1] != "MPEG-4" { verdict.faults.append("mediainfo takes the file for \(fields[1])") }
        if picture[0] != "AVC" { verdict.faults.append("mediainfo takes the picture for \(picture[0])") }
        verdict.audioTracks = Int(fields[2]) ?? 0
        verdict.pictures = Int(picture[1])
        return verdict
    }

    private static func readWithPython(_ file: String) throws -> Verdict {
        let ending = try ChildProcess("/usr/bin/python3", ["-c", pythonProgram, file]).wait()
        let fields = ending.text.split(separator: "\n").last?.split(separator: " ") ?? []
        return Verdict(
            faults: ending.complaints, pictures: fields.first.flatMap { Int($0) },
            audioTracks: fields.count == 2 ? Int(fields[1]) : nil)
    }

    /// Reads every packet, decodes every picture and every sample, holds their times against one another, and prints the
    /// number of pictures and of audio tracks.
    private static let pythonProgram = """
        import sys
        import av
        faults = []
        with av.open(sys.argv[1]) as container:
            streams = list(container.streams)
            tracks = sum(stream.type == "audio" for stream in streams)
            last = {}
            for packet in container.demux(streams):
                if packet.dts is None:
                    continue
                if packet.is_corrupt:
                    faults.append(f"stream {packet.stream.index}: a corrupt packet at {packet.dts}")
                if packet.dts <= last.get(packet.stream.index, packet.dts - 1):
                    faults.append(f"stream {packet.stream.index}: time does not rise at {packet.dts}")
                last[packet.stream.index] = packet.dts
        with av.open(sys.argv[1]) as container:
            pictures = 0
            for frame in container.decode(video=0):
                pictures += 1
                if frame.is_corrupt:
                    faults.append(f"picture {pictures} is corrupt")
        for track in range(tracks):
            with av.open(sys.argv[1]) as container:
                if sum(frame.samples for frame in container.decode(audio=track)) == 0:
                    faults.append(f"audio track {track} has no sound")
        print(*faults, sep="\\n", file=sys.stderr, end="\\n" if faults else "")
        print(pictures, tracks)
        """
}

extension Ending {
    /// The lines of the standard error, and the exit code where it is not 0.
    public var complaints: [String] {
        let lines = errors.split(separator: "\n").map(String.init)
        return exitCode == 0 ? lines : lines + [description]
    }

    /// The same of ffprobe, without what it says of every track of chapters, its own ones too: that it decodes no text.
    public var complaintsOfProbe: [String] {
        complaints.filter { !$0.hasPrefix("Unsupported codec with id 98314 ") }
    }

    /// The fields of the first line of output, parted by commas.
    var firstFields: [Substring] {
        text.split(separator: "\n").first?.split(separator: ",", omittingEmptySubsequences: false) ?? []
    }
}
