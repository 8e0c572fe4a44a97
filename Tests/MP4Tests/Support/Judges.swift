import Testing

/// Programs that we did not write and that judge our files.
enum Judges {
    /// Asks ffprobe, a full decode, GStreamer and mediainfo whether they find a fault.
    /// - Parameters:
    ///   - packets: how many each track must have.
    ///   - isFinished: false for a file that is read as fragments.
    static func accept(
        _ path: String, packets: [Int], isFinished: Bool = true, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let probe = Program.text(
            "ffprobe -v warning -count_packets -show_entries stream=nb_read_packets -of csv=p=0 '\(path)' 2>&1")
        #expect(
            probe.output.split(separator: "\n") == packets.map { "\($0)" }, "ffprobe counts packets",
            sourceLocation: sourceLocation)
        let decode = Program.text("ffmpeg -v warning -xerror -err_detect explode -i '\(path)' -f null - 2>&1")
        #expect(decode.status == 0 && decode.output == "", "ffmpeg decodes all", sourceLocation: sourceLocation)
        let sound = (1..<packets.count).map { "d.audio_\($0 - 1) ! queue ! aacparse ! fakesink" }
        let demux = Program.text(
            "gst-launch-1.0 -q filesrc location='\(path)' ! qtdemux name=d d.video_0 ! queue ! h264parse ! fakesink "
                + sound.joined(separator: " ") + " 2>&1")
        #expect(demux.status == 0 && demux.output == "", "GStreamer reads all", sourceLocation: sourceLocation)
        let media = Program.text("mediainfo --Output=JSON '\(path)' 2>&1")
        #expect(media.status == 0 && media.output.contains("\"AVC\""), "mediainfo", sourceLocation: sourceLocation)
        #expect(!media.output.contains("IsTruncated"), "mediainfo", sourceLocation: sourceLocation)
    }
}
