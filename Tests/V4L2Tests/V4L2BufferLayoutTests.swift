import CKernel
import Media
import Testing
import V4L2

@Suite("Planes in a device's buffers")
struct V4L2BufferLayoutTests {
    private func layout(
        _ fourcc: UInt32, width: Int, height: Int, _ planes: [(bytesPerLine: Int, byteCount: Int)]
    ) throws -> V4L2BufferLayout? {
        var format = V4L2Format(width: width, height: height, fourcc: fourcc, planes: planes.count)
        format.planes = planes.map { V4L2Format.Plane(bytesPerLine: $0.bytesPerLine, byteCount: $0.byteCount) }
        return V4L2BufferLayout(format, try #require(V4L2Layout.of(fourcc)))
    }

    @Test("NV12 in one piece: chroma follows luma at the same line length")
    func nv12() throws {
        let places = try #require(try layout(CKERNEL_FOURCC_NV12, width: 1366, height: 768, [(1408, 1_622_016)])).places
        #expect(places.map(\.offset) == [0, 1408 * 768])
        #expect(places.map(\.bytesPerLine) == [1408, 1408])
        #expect(places.map(\.lines) == [768, 384])
    }

    @Test("YUV420 in one piece: chroma lines are half as long; YVU420 has them swapped")
    func yuv420() throws {
        let size = 704 * 480 * 3 / 2
        let places = try #require(try layout(CKERNEL_FOURCC_YUV420, width: 640, height: 480, [(704, size)])).places
        #expect(places.map(\.offset) == [0, 704 * 480, 704 * 480 + 352 * 240])
        #expect(places.map(\.bytesPerLine) == [704, 352, 352])
        let swapped = try #require(try layout(CKERNEL_FOURCC_YVU420, width: 640, height: 480, [(704, size)])).places
        #expect(swapped.map(\.offset) == [0, 704 * 480 + 352 * 240, 704 * 480])
    }

    @Test("pieces of their own begin at 0")
    func separate() throws {
        let planes = [(640, 640 * 480), (640, 640 * 240)]
        let layout = try #require(try layout(CKERNEL_FOURCC_NV12M, width: 640, height: 480, planes))
        #expect(layout.places.map(\.piece) == [0, 1])
        #expect(layout.places.map(\.offset) == [0, 0])
        #expect(layout.firstPieceBytes == 640 * 480)
    }

    @Test("a driver that gives no line length means lines without padding")
    func noLineLength() throws {
        let layout = try #require(try layout(CKERNEL_FOURCC_YUYV, width: 640, height: 480, [(0, 640 * 480 * 2)]))
        #expect(layout.places[0].bytesPerLine == 1280)
    }

    @Test("a piece that is too small for its picture is refused")
    func tooSmall() throws {
        #expect(try layout(CKERNEL_FOURCC_NV12, width: 640, height: 480, [(640, 640 * 480)])?.places == nil)
        #expect(try layout(CKERNEL_FOURCC_NV12M, width: 640, height: 480, [(640, 640 * 480)])?.places == nil)
        #expect(try layout(CKERNEL_FOURCC_YUYV, width: 640, height: 480, [(1280, 1000)])?.places == nil)
    }
}
