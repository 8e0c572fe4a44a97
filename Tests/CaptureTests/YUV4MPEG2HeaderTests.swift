import Capture
import Media
import Testing

@Suite("First line of a YUV4MPEG2 stream")
struct YUV4MPEG2HeaderTests {
    @Test("what ffmpeg writes is understood")
    func understood() throws {
        let header = try YUV4MPEG2Header(
            line: "YUV4MPEG2 W1280 H720 F30000:1001 Ip A1:1 C420jpeg XYSCSS=420JPEG XCOLORRANGE=LIMITED")
        #expect(header.width == 1280)
        #expect(header.height == 720)
        #expect(header.rate == FrameRate(30_000, 1001))
        #expect(header.chroma == .quarter)
        #expect(header.color == .bt709)
        #expect(header.frameBytes == 1280 * 720 * 3 / 2)
    }

    @Test(
        "layouts of 8 bits are known by all their names",
        arguments: [
            ("C420", YUV4MPEG2Header.Chroma.quarter), ("C420mpeg2", .quarter), ("C420paldv", .quarter), ("", .quarter),
            ("C422", .half), ("C444", .full),
        ])
    func layouts(word: String, chroma: YUV4MPEG2Header.Chroma) throws {
        #expect(try YUV4MPEG2Header(line: "YUV4MPEG2 W352 H288 F25:1 \(word)").chroma == chroma)
    }

    @Test("range and size decide the colour")
    func color() throws {
        #expect(try YUV4MPEG2Header(line: "YUV4MPEG2 W352 H288 F25:1").color == .bt601)
        let full = try YUV4MPEG2Header(line: "YUV4MPEG2 W1920 H1080 F25:1 XCOLORRANGE=FULL").color
        #expect(full == ColorDescription(primaries: 1, transfer: 1, matrix: 1, isFullRange: true))
    }

    @Test("a rate that the stream does not know is left open")
    func unknownRate() throws {
        #expect(try YUV4MPEG2Header(line: "YUV4MPEG2 W352 H288 F0:0").rate == nil)
    }

    @Test("the line that is written is the line that is read")
    func roundTrip() throws {
        let header = YUV4MPEG2Header(
            width: 640, height: 480, rate: FrameRate(60_000, 1001), chroma: .quarter, color: .bt601)
        #expect(try YUV4MPEG2Header(line: String(header.line.dropLast())) == header)
    }

    @Test(
        "what cannot be recorded is refused with its cause",
        arguments: [
            ("", "begin"), ("RIFF", "begin"), ("YUV4MPEG", "begin"), ("YUV4MPEG2 H288 F25:1", "width"),
            ("YUV4MPEG2 W352 F25:1", "height"), ("YUV4MPEG2 W352 H288", "no rate"),
            ("YUV4MPEG2 W0 H288 F25:1", "0x288"),
            ("YUV4MPEG2 W353 H288 F25:1", "353x288"), ("YUV4MPEG2 W352 H287 F25:1", "352x287"),
            ("YUV4MPEG2 W100000 H2 F25:1", "100000x2"), ("YUV4MPEG2 W-352 H288 F25:1", "-352x288"),
            ("YUV4MPEG2 W99999999999999999999 H288 F25:1", "width"), ("YUV4MPEG2 W352 H288 F25:0", "F25:0"),
            ("YUV4MPEG2 W352 H288 F0:1", "F0:1"), ("YUV4MPEG2 W352 H288 F-25:1", "F-25:1"),
            ("YUV4MPEG2 W352 H288 F25", "F25"), ("YUV4MPEG2 W352 H288 F:", "no ratio"),
            ("YUV4MPEG2 W352 H288 F99999:1", "F99999:1"), ("YUV4MPEG2 W352 H288 F1:11", "too low"),
            ("YUV4MPEG2 W352 H288 F25:1 It", "interlaced"),
            ("YUV4MPEG2 W352 H288 F25:1 Ib", "interlaced"), ("YUV4MPEG2 W352 H288 F25:1 Im", "interlaced"),
            ("YUV4MPEG2 W352 H288 F25:1 Cmono", "Cmono"), ("YUV4MPEG2 W352 H288 F25:1 C420p10", "C420p10"),
            ("YUV4MPEG2 W352 H288 F25:1 C411", "C411"), ("YUV4MPEG2 W352 H288 F25:1 C444alpha", "C444alpha"),
        ])
    func refusals(line: String, cause: String) {
        #expect {
            try YUV4MPEG2Header(line: line)
        } throws: { error in
            guard let failure = error as? Failure else { return false }
            return failure.kind == .noSource && failure.cause.contains(cause)
        }
    }
}
