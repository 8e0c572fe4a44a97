import Encoding
import Judges
import Media
import Pixels
import Testing

/// Stills of eight patches of colour, whose colours another program must find in them.
@Suite("Stills")
struct StillEncoderTests {
    /// Red, green and blue of each patch, 0…1.
    private static let patches: [(red: Double, green: Double, blue: Double)] = [
        (0.75, 0.75, 0.75), (0.75, 0.75, 0), (0, 0.75, 0.75), (0, 0.75, 0), (0.75, 0, 0.75), (0.75, 0, 0),
        (0, 0, 0.75), (0.25, 0.5, 0.3),
    ]
    private static let (width, height) = (256, 64)
    private static let full601 = ColorDescription(primaries: 6, transfer: 6, matrix: 6, isFullRange: true)
    private static let full709 = ColorDescription(primaries: 1, transfer: 1, matrix: 1, isFullRange: true)

    /// Patches 32 pixels wide side by side.
    private func frame(_ pixelFormat: PixelFormat, _ color: ColorDescription) -> VideoFrame {
        let frame = VideoFrame(index: 0, width: Self.width, height: Self.height, pixelFormat: pixelFormat)
        func set(_ plane: Int, _ line: Int, _ offset: Int, _ value: UInt8) {
            let to = frame.planes[plane]
            to.base.storeBytes(of: value, toByteOffset: line * to.bytesPerLine + offset, as: UInt8.self)
        }
        for line in 0..<Self.height {
            for x in 0..<Self.width {
                let patch = Self.patches[x / 32]
                let value = SampleValue(red: patch.red, green: patch.green, blue: patch.blue, color: color)
                switch pixelFormat {
                case .nv12, .nv16:
                    set(0, line, x, value.y)
                    let chromaLine = pixelFormat == .nv12 ? line / 2 : line
                    set(1, chromaLine, x, x % 2 == 0 ? value.cb : value.cr)
                case .yuv420:
                    set(0, line, x, value.y)
                    set(1, line / 2, x / 2, value.cb)
                    set(2, line / 2, x / 2, value.cr)
                case .yuyv:
                    set(0, line, 2 * x, value.y)
                    set(0, line, 2 * x + 1, x % 2 == 0 ? value.cb : value.cr)
                case .bgrx32:
                    set(0, line, 4 * x, UInt8(patch.blue * 255))
                    set(0, line, 4 * x + 1, UInt8(patch.green * 255))
                    set(0, line, 4 * x + 2, UInt8(patch.red * 255))
                default: break
                }
            }
        }
        return frame
    }

    private func encode(_ pixelFormat: PixelFormat, _ color: ColorDescription, at time: Int64? = nil) throws -> [UInt8]
    {
        let format = VideoFormat(
            width: Self.width, height: Self.height, pixelFormat: pixelFormat, rate: .thirty, color: color)
        return try StillEncoder(format).encode(frame(pixelFormat, color), at: time)
    }

    /// What ffmpeg shows of a picture in the middle of each patch.
    private func colours(of jpeg: [UInt8]) throws -> [(Int, Int, Int)] {
        let file = try StreamFile(jpeg)
        let ending = try ChildProcess(
            "ffmpeg", ["-nostdin", "-v", "warning", "-i", file.path, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
        ).wait()
        #expect(ending.exitCode == 0 && ending.complaints.allSatisfy { $0.contains("deprecated pixel format") })
        let bytes = ending.output
        try #require(bytes.count == Self.width * Self.height * 3)
        return Self.patches.indices.map { patch in
            let place = (Self.height / 2 * Self.width + patch * 32 + 16) * 3
            return (Int(bytes[place]), Int(bytes[place + 1]), Int(bytes[place + 2]))
        }
    }

    @Test(
        "have the colours of the picture, whatever its layout and its matrix",
        arguments: [PixelFormat.nv12, .yuv420, .nv16, .yuyv], [.bt709, .bt601, full709, full601])
    func colour(_ pixelFormat: PixelFormat, _ color: ColorDescription) throws {
        for (found, patch) in zip(try colours(of: try encode(pixelFormat, color)), Self.patches) {
            let distance = max(
                abs(Double(found.0) - patch.red * 255), abs(Double(found.1) - patch.green * 255),
                abs(Double(found.2) - patch.blue * 255))
            #expect(distance < 5, "\(found) where \(patch) was")
        }
    }

    @Test("have the colours of a computer's picture")
    func rgb() throws {
        for (found, patch) in zip(try colours(of: try encode(.bgrx32, Self.full709)), Self.patches) {
            let distance = max(
                abs(Double(found.0) - patch.red * 255), abs(Double(found.1) - patch.green * 255),
                abs(Double(found.2) - patch.blue * 255))
            #expect(distance < 5, "\(found) where \(patch) was")
        }
    }

    @Test("begin as JFIF, and say what made them and when")
    func segments() throws {
        let bytes = try encode(.nv12, .bt709, at: 1_800_000_000)
        #expect(bytes.prefix(4) == [0xFF, 0xD8, 0xFF, 0xE0])
        #expect(Array(bytes[6..<10]) == Array("JFIF".utf8))
        #expect(Array(bytes[20..<22]) == [0xFF, 0xE1])
        #expect(Array(bytes[24..<30]) == Array("Exif\0\0".utf8))
        #expect(bytes.suffix(2) == [0xFF, 0xD9])
        let text = String(decoding: bytes.prefix(400), as: UTF8.self)
        #expect(text.contains("2027:01:15 08:00:00\0") && text.contains("Kinebox\0"))
        // A program that knows Exif reads it.
        let file = try StreamFile(bytes)
        let ending = try ChildProcess("ffprobe", ["-v", "warning", "-show_entries", "frame_tags", file.path]).wait()
        #expect(ending.text.contains("DateTimeOriginal=2027:01:15 08:00:00"), "\(ending.text)")
        #expect(ending.text.contains("Software=Kinebox"))
        let unknown = try encode(.nv12, .bt709)
        #expect(!String(decoding: unknown.prefix(400), as: UTF8.self).contains("2027"))
    }

    @Test("cannot be made of a picture that the processor does not see")
    func unseen() throws {
        let format = VideoFormat(width: 64, height: 64, pixelFormat: .nv12, rate: .thirty, color: .bt709)
        let encoder = try StillEncoder(format)
        #expect { try encoder.encode(VideoFrame(index: 0, planes: []), at: nil) } throws: {
            ($0 as? Failure)?.kind == .encoderFailed
        }
    }
}
