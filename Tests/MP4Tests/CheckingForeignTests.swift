import Glibc
import Judges
import Testing

@testable import MP4

@Suite("The checker finds no fault in what others write well")
struct CheckingForeignTests {
    let folder = TemporaryFolder(isInMemory: true)

    private func check(_ path: String, pictures: Int64?, sounds: Int64? = nil) throws {
        let report = try Checker.check(path: path)
        #expect(report.faults == [])
        #expect(report.state == .foreign && report.records == 0)
        #expect(report.tracks.first { $0.kind == .video }?.sampleCount == pictures)
        if let sounds { #expect(report.tracks.first { $0.kind == .audio }?.sampleCount == sounds) }
    }

    @Test(
        "ffmpeg, its tables at the end, at the start, in fragments",
        arguments: [
            "0", "+faststart", "+frag_keyframe", "+frag_keyframe+empty_moov",
            "+frag_keyframe+empty_moov+default_base_moof", "+cmaf+frag_keyframe", "+dash",
            "+frag_keyframe+separate_moof",
            "+negative_cts_offsets", "+write_colr",
        ])
    func ffmpeg(_ flags: String) throws {
        let path = folder.file("file.mp4")
        let options = ["-g", "15", "-bf", "3", "-movflags", flags, path]
        try ForeignFile.run(
            "ffmpeg", ForeignFile.picture + ForeignFile.sound + ForeignFile.codecs + options)
        try check(path, pictures: 60)
    }

    @Test(
        "ffmpeg, with other pictures and sounds",
        arguments: [
            ["-bf", "0", "-x264-params", "repeat-headers=1"], ["-r", "30000/1001"], ["-r", "1"],
            ["-vf", "scale=322:182"], ["-vf", "setsar=4/3"], ["-ac", "1"], ["-ac", "6", "-ar", "44100"],
            ["-pix_fmt", "yuv444p"], ["-pix_fmt", "yuv422p10le"], ["-profile:v", "baseline", "-slices", "3"],
            ["-flags", "+ildct+ilme"], ["-aud", "1"], ["-frames:v", "1"], ["-vn"], ["-an"], ["-ss", "0.7"],
            ["-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709", "-movflags", "+write_colr"],
            ["-c:a", "mp3"], ["-use_editlist", "0"], ["-metadata", "title=A title", "-metadata:s:a:0", "language=deu"],
            ["-brand", "mp42", "-video_track_timescale", "90000"], ["-c:v", "mpeg4"],
            ["-vsync", "vfr", "-vf", "select='mod(n,7)'"],
        ])
    func otherMedia(_ options: [String]) throws {
        let path = folder.file("file.mp4")
        try ForeignFile.run(
            "ffmpeg", ForeignFile.picture + ForeignFile.sound + ForeignFile.codecs + options + [path])
        let report = try Checker.check(path: path)
        #expect(report.faults == [])
        #expect(!report.tracks.isEmpty && report.tracks.allSatisfy { $0.sampleCount > 0 && $0.duration > 0 })
    }

    @Test("ffmpeg, remuxed and as a QuickTime movie", arguments: ["mp4", "mov", "3gp", "m4v"])
    func remuxed(_ suffix: String) throws {
        let (source, path) = (folder.file("source.mp4"), folder.file("file.\(suffix)"))
        write(try GoodFile.progressive.bytes(), to: source)
        try ForeignFile.run("ffmpeg", ["-ss", "0.9", "-i", source, "-c", "copy", path])
        #expect(try Checker.check(path: path).faults == [])
    }

    @Test(
        "GStreamer",
        arguments: [
            ["mp4mux"], ["mp4mux", "faststart=true"], ["qtmux"], ["mp4mux", "fragment-duration=500"],
            ["qtmux", "reserved-max-duration=60000000000", "reserved-moov-update-period=1000000000"],
            ["mp4mux", "fragment-duration=500", "fragment-mode=first-moov-then-finalise"],
            ["mp4mux", "fragment-duration=500", "streamable=true"],
        ])
    func gstreamer(_ muxer: [String]) throws {
        let (source, path) = (folder.file("source.mp4"), folder.file("file.mp4"))
        write(try GoodFile.progressive.bytes(), to: source)
        var pipeline = ["filesrc", "location=\(source)", "!", "qtdemux", "name=d"]
        pipeline += ["d.video_0", "!", "queue", "!", "h264parse", "!"]
        pipeline += muxer
        pipeline += ["name=m", "!", "filesink", "location=\(path)"]
        pipeline += ["d.audio_0", "!", "queue", "!", "aacparse", "!", "m."]
        try ForeignFile.run("gst-launch-1.0", pipeline)
        try check(path, pictures: 60)
    }

    /// The variable by which `tools/test` names a newer ffmpeg than the system's.
    private static let newer: String? = getenv("KINEBOX_FFMPEG_NEW").map { String(cString: $0) }

    @Test(
        "a newer ffmpeg, and its fragments that become an ordinary file",
        .enabled(if: newer != nil, "KINEBOX_FFMPEG_NEW names no newer ffmpeg; tools/test brings one"),
        arguments: ["+hybrid_fragmented", "0", "+faststart", "+frag_keyframe+empty_moov", "+cmaf"])
    func newerFFmpeg(_ flags: String) throws {
        let path = folder.file("file.mp4")
        let options = ["-g", "15", "-bf", "3", "-movflags", flags, path]
        try ForeignFile.run(
            Self.newer ?? "", ForeignFile.picture + ForeignFile.sound + ForeignFile.codecs + options)
        try check(path, pictures: 60)
    }
}
