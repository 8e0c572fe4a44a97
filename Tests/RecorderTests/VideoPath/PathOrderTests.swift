import Media
import Recorder
import Testing
import V4L2

@Suite("Order of a picture's ways")
struct PathOrderTests {
    private func name(_ format: V4L2Format?) -> String { format.map { V4L2Layout.name($0.fourcc) } ?? "" }

    @Test("from zero copy down to software, each step what is left when the one before fails")
    func ladder() throws {
        let choice = PathChoice(encoders: [FakeDriver.bcm2835.encoder()])
        let paths = try choice.paths(for: FakeDriver.unicam.source(1280, 720))
        #expect(paths.map(\.transfer) == [.shared, .lent, .processor, .process])
        #expect(paths.map { name($0.captureFormat) } == ["UYVY", "UYVY", "UYVY", "UYVY"])
        #expect(paths.last?.encoder == .software)
        #expect(paths.last?.reason == "software: should the encoder fail")
    }

    @Test(
        "of several encoders the one that takes the smallest layout comes first, each with one way to share and one to lend"
    )
    func several() throws {
        let encoders = [
            FakeDriver(codes: ["RGB3"]).encoder("first"), FakeDriver(codes: ["UYVY", "RGB3"]).encoder("second"),
        ]
        let paths = try PathChoice(encoders: encoders).paths(for: FakeDriver.unicam.source(1280, 720))
        let names = paths.map { path -> String in
            if case .hardware(let hardware) = path.encoder { return hardware.card }
            return "x264"
        }
        #expect(names.prefix(4) == ["second", "first", "first", "second"] && names.last == "x264")
        #expect(paths.prefix(4).map(\.transfer) == [.shared, .shared, .lent, .lent])
    }

    @Test("software alone, as asked, takes what the processor has least work with")
    func software() throws {
        let choice = PathChoice(encoders: [FakeDriver.bcm2835.encoder()], preference: .software)
        let paths = try choice.paths(for: FakeDriver(codes: ["RGB3", "UYVY", "NV12"]).source(1280, 720))
        #expect(paths.map(\.transfer) == [.process])
        #expect(name(paths[0].captureFormat) == "NV12")
        #expect(paths[0].reason == "software: the processor encodes, as asked")
    }

    @Test("without an encoder the processor encodes")
    func none() throws {
        let paths = try PathChoice(encoders: []).paths(for: FakeDriver.unicam.source(1280, 720))
        #expect(paths.map(\.encoder) == [.software])
        #expect(paths[0].reason == "software: the board has no H.264 encoder that this user may open")
    }

    @Test("hardware that was asked for is used or refused, never replaced")
    func hardware() throws {
        let source = FakeDriver.unicam.source(1920, 1080)
        let choice = PathChoice(encoders: [FakeDriver.bcm2835.encoder()], preference: .hardware)
        #expect(try choice.paths(for: source).allSatisfy { $0.encoder != .software })
        do {
            _ = try PathChoice(encoders: [], preference: .hardware).paths(for: source)
            Issue.record("there is no hardware to encode with")
        } catch {
            #expect(error.kind == .encoderFailed && error.cause.contains("no H.264 encoder"))
        }
        let large = FakeDriver(codes: ["NV12"], largest: V4L2Sizes.Size(4096, 4096)).source(3840, 2160)
        do {
            _ = try choice.paths(for: large)
            Issue.record("the encoder's largest picture is smaller")
        } catch {
            #expect(error.kind == .encoderFailed)
            #expect(error.cause == "the encoder takes no NV12 3840x2160")
        }
    }

    @Test("pictures larger than the encoder's are encoded in software, and it is said why")
    func tooLarge() throws {
        let large = FakeDriver(codes: ["NV12"], largest: V4L2Sizes.Size(4096, 4096)).source(3840, 2160)
        let paths = try PathChoice(encoders: [FakeDriver.bcm2835.encoder()]).paths(for: large)
        #expect(paths.map(\.transfer) == [.process])
        #expect(paths[0].reason == "software: the encoder takes no NV12 3840x2160")
    }

    @Test("a layout that was asked for is the only one, and one that is not there is refused")
    func pixelFormat() throws {
        var choice = PathChoice(encoders: [FakeDriver.bcm2835.encoder()], codes: [FakeDriver.code("RGB3")])
        let source = FakeDriver.unicam.source(1280, 720)
        #expect(try choice.paths(for: source).allSatisfy { name($0.captureFormat) == "RGB3" })
        choice.codes = [FakeDriver.code("NV12")]
        do {
            _ = try choice.paths(for: source)
            Issue.record("the input has no NV12")
        } catch {
            #expect(error.kind == .invalidValue && error.mend == "It gives UYVY, RGB3.")
        }
    }

    @Test("a converter of the board stands before the processor")
    func converter() throws {
        let encoder = FakeDriver(codes: ["NV12"], lineAlignment: 64)
        let isp = FakeDriver(codes: ["BGR3"], lineAlignment: 32).converter(
            to: FakeDriver(codes: ["YUYV", "NV12"], lineAlignment: 32))
        let choice = PathChoice(encoders: [encoder.encoder()], converters: [isp])
        let paths = try choice.paths(for: FakeDriver.hdmirx("BGR3").source(1366, 768))
        guard case .converter(let way) = paths[0].transfer, case .hardware(let hardware) = paths[0].encoder else {
            Issue.record("no converter: \(paths)")
            return
        }
        #expect(!way.isLent && name(way.input) == "BGR3" && name(way.output) == "NV12")
        #expect(way.input.planes[0].bytesPerLine == paths[0].captureFormat?.planes[0].bytesPerLine)
        #expect(way.output.planes == hardware.format.planes && way.output.planes[0].bytesPerLine == 1408)
        #expect(paths[0].reason == "converted by isp: the input gives BGR3 and the encoder takes NV12")
        #expect(paths.map(\.isZeroCopy) == [true, false, false])
        let camera = FakeDriver(codes: ["BGR3"], lineAlignment: 32).source(1280, 720, readable: false)
        guard case .converter(let lent) = try choice.paths(for: camera)[0].transfer else { return }
        #expect(lent.isLent)
    }

    @Test("a converter is not taken where a layout fits as it comes, nor where it does not help")
    func noConverter() throws {
        let isp = FakeDriver(codes: ["NV12", "BGR3"]).converter(to: FakeDriver(codes: ["YUYV"]))
        let choice = PathChoice(encoders: [FakeDriver(codes: ["NV12"]).encoder()], converters: [isp])
        #expect(try choice.paths(for: FakeDriver(codes: ["NV12"]).source(640, 480))[0].transfer == .shared)
        #expect(try choice.paths(for: FakeDriver(codes: ["BGR3"]).source(640, 480))[0].transfer == .processor)
    }

    @Test("pictures in memory are copied into the encoder, or read by the software encoder")
    func memory() throws {
        let format = VideoFormat(width: 1280, height: 720, pixelFormat: .yuv420, rate: .thirty, color: .bt709)
        let paths = try PathChoice(encoders: [FakeDriver.bcm2835.encoder()]).paths(for: format)
        #expect(paths.map(\.transfer) == [.copied, .process])
        #expect(paths.allSatisfy { $0.captureFormat == nil })
        let other = try PathChoice(encoders: [FakeDriver(codes: ["UYVY"]).encoder()]).paths(for: format)
        #expect(other.map(\.reason) == ["software: the board's encoder takes no YUV420 1280x720"])
        #expect(throws: Failure.self) {
            try PathChoice(encoders: [], preference: .hardware).paths(for: format)
        }
    }
}
