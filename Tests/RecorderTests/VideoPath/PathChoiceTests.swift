import Media
import Recorder
import Testing
import V4L2

@Suite("Choice of a picture's way")
struct PathChoiceTests {
    private func first(
        _ source: PathChoice.Source, _ encoder: FakeDriver, converters: [PathChoice.Converter] = []
    ) throws -> VideoPath {
        let choice = PathChoice(encoders: [encoder.encoder()], converters: converters)
        return try #require(try choice.paths(for: source).first)
    }

    private func name(_ format: V4L2Format?) -> String { format.map { V4L2Layout.name($0.fourcc) } ?? "" }

    private func encoderFormat(_ path: VideoPath) -> V4L2Format? {
        if case .hardware(let hardware) = path.encoder { return hardware.format }
        return nil
    }

    @Test("a layout that both have is taken as it comes, the one with the fewest bytes first")
    func asItComes() throws {
        let input = FakeDriver(codes: ["YUYV", "XR24", "NV12", "YU12"])
        let path = try first(input.source(1920, 1080), FakeDriver(codes: ["YUYV", "YU12", "NV12", "XR24"]))
        #expect(path.transfer == .shared)
        #expect(name(path.captureFormat) == "NV12")
        #expect(path.reason == "zero copy: the encoder takes NV12 1920x1080 as it comes, 1920 bytes a line")
        #expect(path.isZeroCopy)
        let packed = try first(FakeDriver(codes: ["XR24", "YUYV"]).source(1920, 1080), .bcm2835)
        #expect(name(packed.captureFormat) == "YUYV")
    }

    @Test("what the processor has to put together first is not called zero copy")
    func prepared() throws {
        let driver = FakeDriver(codes: ["XR24"])
        var source = driver.source(640, 480)
        #expect(try first(source, driver).isZeroCopy)
        source.preparation = { _ in "the processor puts 3 planes together" }
        let path = try first(source, driver)
        #expect(path.transfer == .shared && !path.isZeroCopy)
        let words = "the processor puts 3 planes together as XR24 640x480 for the encoder, 2560 bytes a line"
        #expect(path.reason == words)
    }

    @Test("the Pi's receiver gives its encoder UYVY, two bytes a pixel instead of three")
    func pi() throws {
        let path = try first(FakeDriver.unicam.source(1920, 1080), .bcm2835)
        #expect(path.transfer == .shared && name(path.captureFormat) == "UYVY")
        #expect(path.captureFormat?.planes == encoderFormat(path)?.planes)
    }

    @Test(
        "lines of 1366 pixels: the input is asked for as long ones as the encoder wants",
        arguments: [
            ("YUYV", 2752), ("NV12", 1376), ("YU12", 1408), ("RGB3", 4128),
        ])
    func padded(code: String, bytesPerLine: Int) throws {
        let path = try first(FakeDriver(codes: [code]).source(1366, 768), .bcm2835)
        #expect(path.transfer == .shared)
        #expect(path.captureFormat?.planes[0].bytesPerLine == bytesPerLine)
        #expect(encoderFormat(path)?.planes[0].bytesPerLine == bytesPerLine)
        #expect(
            path.reason == "zero copy: the input fits \(code) 1366x768 to the encoder, \(bytesPerLine) bytes a line")
    }

    @Test("an encoder whose lines grow with the input's is told the input's length")
    func longerAtTheInput() throws {
        let input = FakeDriver(codes: ["NV12"], lineAlignment: 256)
        let path = try first(input.source(1366, 768), FakeDriver(codes: ["NV12"], lineAlignment: 16))
        #expect(path.transfer == .shared)
        #expect(encoderFormat(path)?.planes[0].bytesPerLine == 1536)
        #expect(path.reason.hasPrefix("zero copy: the encoder takes NV12 1366x768 as it comes"))
    }

    @Test("R'G'B' from 16 to 235 goes to no device that would take it for 0 to 255")
    func narrowRGB() throws {
        var source = FakeDriver(codes: ["XR24"]).source(1280, 720)
        let encoder = FakeDriver(codes: ["XR24", "NV12"])
        #expect(try first(source, encoder).transfer == .shared)
        source.offers = source.offers.map { offer in
            var narrow = offer
            narrow.color.quantization = 2
            return narrow
        }
        let path = try first(source, encoder, converters: [FakeDriver(codes: ["XR24"]).converter(to: encoder)])
        #expect(path.transfer == .processor && name(encoderFormat(path)) == "NV12")
        #expect(path.reason.contains("XR24 with values from 16 to 235, which the encoder would take for 0 to 255"))
    }

    @Test("lines that neither side can change are converted, and the lengths are told")
    func otherLines() throws {
        let input = FakeDriver(codes: ["NV12"], takesLongerLines: false)
        let path = try first(input.source(1366, 768), FakeDriver(codes: ["NV12"], lineAlignment: 64))
        #expect(path.transfer == .processor)
        #expect(path.reason == "converted by the processor: lines of 1366 bytes, the encoder wants 1408")
        #expect(name(path.captureFormat) == "NV12" && name(encoderFormat(path)) == "NV12")
        #expect(!path.isZeroCopy)
    }

    @Test("a receiver with one layout that the encoder does not have", arguments: ["BGR3", "NV16", "NV24", "UYVY"])
    func hdmirx(code: String) throws {
        let encoder = FakeDriver(codes: ["NV12", "NM12"], lineAlignment: 16)
        let path = try first(FakeDriver.hdmirx(code).source(1920, 1080), encoder)
        #expect(path.transfer == .processor)
        #expect(path.reason == "converted by the processor: the input gives \(code) and the encoder takes NV12, NM12")
        #expect(name(path.captureFormat) == code && name(encoderFormat(path)) == "NV12")
    }

    @Test("the same receiver, where the sender was made to send 4:2:0")
    func hdmirx420() throws {
        let path = try first(
            FakeDriver.hdmirx("NV12").source(1920, 1080), FakeDriver(codes: ["NV12", "NM12"], lineAlignment: 16))
        #expect(path.transfer == .shared && name(path.captureFormat) == "NV12")
    }

    @Test("a layout that nobody knows here is refused by its name")
    func unknown() throws {
        let source = PathChoice.Source(
            offers: [V4L2Format(width: 1920, height: 1080, fourcc: FakeDriver.code("NV42"))],
            isReadableByDevices: true, trying: { $0 })
        #expect(throws: Failure.self) { try PathChoice(encoders: []).paths(for: source) }
        do {
            _ = try PathChoice(encoders: [FakeDriver.bcm2835.encoder()]).paths(for: source)
        } catch {
            #expect(error.kind == .noSource && error.cause.contains("NV42"))
        }
    }

    @Test("a camera at USB writes into the encoder's buffers")
    func uvcRaw() throws {
        let path = try first(FakeDriver.uvc.source(1280, 720, readable: false), .bcm2835)
        #expect(path.transfer == .lent && name(path.captureFormat) == "YUYV")
        #expect(
            path.reason == "zero copy: the input writes YUYV 1280x720 into the encoder's buffers, 2560 bytes a line")
    }

    @Test("a camera that sends JPEG is decoded into the encoder's buffers")
    func uvcJPEG() throws {
        let path = try first(FakeDriver(codes: ["MJPG"]).source(1920, 1080, readable: false), .bcm2835)
        #expect(path.transfer == .processor && name(path.captureFormat) == "MJPG")
        #expect(name(encoderFormat(path)) == "YU12" || name(encoderFormat(path)) == "NV12")
        #expect(path.reason.contains("the input gives MJPG and the encoder takes YU12, YV12, NV12"))
    }

    @Test("a camera whose lines do not fit is converted, since its memory cannot be read by devices")
    func uvcOdd() throws {
        let path = try first(FakeDriver.uvc.source(1366, 768, readable: false), .bcm2835)
        #expect(path.transfer == .processor)
        #expect(path.reason == "converted by the processor: lines of 2732 bytes, the encoder wants 2752")
    }

    @Test("an encoder without any 4:2:0 gets the input's own layout, copied into its lines")
    func packedCopy() throws {
        let input = FakeDriver(codes: ["YUYV"], takesLongerLines: false)
        let path = try first(input.source(1366, 768), FakeDriver(codes: ["UYVY", "YUYV"], lineAlignment: 64))
        #expect(path.transfer == .processor && name(encoderFormat(path)) == "YUYV")
    }
}
