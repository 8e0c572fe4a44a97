import CJPEG
import Media
import Pixels
import Testing

@Suite("JPEG pictures of cameras")
struct JPEGConversionTests {
    private let picture = TestPicture(width: 176, height: 98)
    private static let samplings = [TJSAMP_420, TJSAMP_422, TJSAMP_444, TJSAMP_GRAY].map { Int32($0.rawValue) }

    private func luma(_ x: Int, _ y: Int) -> Int { 40 + x / 2 + y / 2 }

    /// A JPEG of soft gradients: luma as above, Cb 90 + x / 4, Cr 170 - y / 2.
    private func jpeg(_ sampling: Int32) throws -> [UInt8] {
        let handle = try #require(tjInitCompress())
        defer { tjDestroy(handle) }
        var planes: [[UInt8]] = []
        var strides: [Int32] = []
        for component in 0..<(sampling == Int32(TJSAMP_GRAY.rawValue) ? 1 : 3) as Range<Int32> {
            let (width, height) = (tjPlaneWidth(component, 176, sampling), tjPlaneHeight(component, 98, sampling))
            let (stepX, stepY) = (176 / Int(width), 98 / Int(height))
            var plane: [UInt8] = []
            for y in 0..<Int(height) {
                for x in 0..<Int(width) {
                    let (x, y) = (x * stepX, y * stepY)
                    let value = component == 0 ? luma(x, y) : component == 1 ? 90 + x / 4 : 170 - y / 2
                    plane.append(UInt8(value))
                }
            }
            planes.append(plane)
            strides.append(width)
        }
        var size: UInt = 0
        var bytes: UnsafeMutablePointer<UInt8>?
        var pointers: [UnsafePointer<UInt8>?] = planes.map { plane in
            let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: plane.count)
            copy.initialize(from: plane, count: plane.count)
            return UnsafePointer(copy)
        }
        defer { pointers.forEach { $0?.deallocate() } }
        let status = tjCompressFromYUVPlanes(handle, &pointers, 176, &strides, 98, sampling, &bytes, &size, 95, 0)
        try #require(status == 0)
        let start = try #require(bytes)
        defer { tjFree(start) }
        return Array(UnsafeBufferPointer(start: start, count: Int(size)))
    }

    private func frame(_ bytes: [UInt8]) -> VideoFrame {
        let frame = picture.frame(.mjpeg)
        bytes.withUnsafeBytes { frame.planes[0].base.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
        frame.byteCount = bytes.count
        return frame
    }

    private func conversion(_ target: PixelFormat) throws -> Conversion {
        try Conversion(from: .mjpeg, to: target, width: 176, height: 98, color: .bt709)
    }

    @Test("every sampling that cameras use is decoded", arguments: samplings, [PixelFormat.nv12, .yuv420])
    func decoded(sampling: Int32, target: PixelFormat) throws {
        let conversion = try conversion(target)
        #expect(conversion.color == ColorDescription(primaries: 1, transfer: 1, matrix: 6, isFullRange: true))
        let result = picture.frame(target)
        let source = frame(try jpeg(sampling))
        #expect(conversion.convert(source, to: result))
        let isGrey = sampling == Int32(TJSAMP_GRAY.rawValue)
        for y in 0..<98 {
            for x in 0..<176 { #expect(abs(TestPicture.sample(result.planes[0], x, y) - luma(x, y)) <= 4) }
        }
        for y in 0..<49 {
            for x in 0..<88 {
                let chroma = TestPicture.chroma(result, target, x, y)
                #expect(abs(chroma.cb - (isGrey ? 128 : 90 + x / 2)) <= 4)
                #expect(abs(chroma.cr - (isGrey ? 128 : 170 - y)) <= 4)
            }
        }
    }

    @Test("a picture without Huffman tables is decoded by the usual ones")
    func withoutTables() throws {
        let bytes = try jpeg(Int32(TJSAMP_422.rawValue))
        var (stripped, place) = (Array(bytes.prefix(2)), 2)
        while bytes[place + 1] != 0xDA {
            let length = 2 + Int(bytes[place + 2]) << 8 + Int(bytes[place + 3])
            if bytes[place + 1] != 0xC4 { stripped += bytes[place..<(place + length)] }
            place += length
        }
        stripped += bytes[place...]
        #expect(stripped.count < bytes.count)
        #expect(try conversion(.nv12).convert(frame(stripped), to: picture.frame(.nv12)))
    }

    @Test("bytes behind the picture do no harm")
    func trailingBytes() throws {
        let bytes = try jpeg(Int32(TJSAMP_422.rawValue)) + [UInt8](repeating: 0, count: 500)
        #expect(try conversion(.nv12).convert(frame(bytes), to: picture.frame(.nv12)))
    }

    @Test("a picture that is cut off is broken", arguments: [0, 1, 2, 50, 200, -1, -2, -40, -400])
    func cutOff(length: Int) throws {
        let whole = try jpeg(Int32(TJSAMP_422.rawValue))
        let bytes = Array(length < 0 ? whole.dropLast(-length) : whole.prefix(length))
        #expect(try !conversion(.nv12).convert(frame(bytes), to: picture.frame(.nv12)))
    }

    @Test("a picture with a hole is broken, and the next one is not")
    func hole() throws {
        let whole = try jpeg(Int32(TJSAMP_422.rawValue))
        var bytes = whole
        bytes.removeSubrange((bytes.count / 2)..<(bytes.count / 2 + 200))
        let conversion = try conversion(.yuv420)
        #expect(!conversion.convert(frame(bytes), to: picture.frame(.yuv420)))
        #expect(conversion.convert(frame(whole), to: picture.frame(.yuv420)))
    }

    @Test("random bytes never pass for a picture, and do not hurt")
    func garbage() throws {
        var generator = SystemRandomNumberGenerator()
        let whole = try jpeg(Int32(TJSAMP_420.rawValue))
        let conversion = try conversion(.nv12)
        let result = picture.frame(.nv12)
        for _ in 0..<300 {
            var bytes = whole
            for _ in 0..<40 { bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255) }
            _ = conversion.convert(frame(bytes), to: result)
        }
        let noise = (0..<5000).map { _ in UInt8.random(in: 0...255, using: &generator) }
        #expect(!conversion.convert(frame(noise), to: result))
        #expect(conversion.convert(frame(whole), to: result))
    }

    @Test("a picture of another size is broken")
    func otherSize() throws {
        let conversion = try Conversion(from: .mjpeg, to: .nv12, width: 160, height: 98, color: .bt709)
        let target = TestPicture(width: 160, height: 98).frame(.nv12)
        let source = frame(try jpeg(Int32(TJSAMP_420.rawValue)))
        #expect(!conversion.convert(source, to: target))
    }
}
