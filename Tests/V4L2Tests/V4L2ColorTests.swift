import CKernel
import Media
import Testing
import V4L2

@Suite("What V4L2 says of colour")
struct V4L2ColorTests {
    private func description(
        space: UInt32, transfer: UInt32 = 0, encoding: UInt32 = 0, quantization: UInt32 = 0,
        _ pixelFormat: PixelFormat = .yuyv, width: Int = 1280, height: Int = 720
    ) -> ColorDescription {
        V4L2Color(space: space, transfer: transfer, encoding: encoding, quantization: quantization)
            .description(pixelFormat, width: width, height: height)
    }

    @Test("the common spaces are what they are called")
    func common() {
        #expect(description(space: V4L2_COLORSPACE_REC709.rawValue) == .bt709)
        #expect(description(space: V4L2_COLORSPACE_SMPTE170M.rawValue) == .bt601)
        #expect(
            description(space: V4L2_COLORSPACE_470_SYSTEM_BG.rawValue)
                == ColorDescription(primaries: 5, transfer: 1, matrix: 5))
        #expect(
            description(space: V4L2_COLORSPACE_BT2020.rawValue)
                == ColorDescription(primaries: 9, transfer: 1, matrix: 9))
    }

    @Test("a webcam's sRGB has the matrix of BT.601 and limited range")
    func webcam() {
        #expect(
            description(space: V4L2_COLORSPACE_SRGB.rawValue)
                == ColorDescription(primaries: 1, transfer: 13, matrix: 6, isFullRange: false))
    }

    @Test("JPEG uses all values")
    func jpeg() {
        #expect(
            description(space: V4L2_COLORSPACE_JPEG.rawValue, .mjpeg)
                == ColorDescription(primaries: 1, transfer: 13, matrix: 6, isFullRange: true))
    }

    @Test("what a driver says itself counts more than what is usual")
    func explicit() {
        #expect(
            description(
                space: V4L2_COLORSPACE_SRGB.rawValue, transfer: V4L2_XFER_FUNC_709.rawValue,
                encoding: V4L2_YCBCR_ENC_709.rawValue, quantization: V4L2_QUANTIZATION_FULL_RANGE.rawValue)
                == ColorDescription(primaries: 1, transfer: 1, matrix: 1, isFullRange: true))
    }

    @Test("a driver that says nothing is taken by the picture's size")
    func silent() {
        #expect(description(space: 0) == .bt709)
        #expect(description(space: 0, width: 720, height: 576) == .bt601)
    }

    @Test("R'G'B' has no matrix, and all values unless the driver says otherwise")
    func rgb() {
        #expect(
            description(space: V4L2_COLORSPACE_SRGB.rawValue, .rgb24)
                == ColorDescription(primaries: 1, transfer: 13, matrix: 0, isFullRange: true))
        #expect(
            !description(
                space: V4L2_COLORSPACE_REC709.rawValue, quantization: V4L2_QUANTIZATION_LIM_RANGE.rawValue, .bgr24
            ).isFullRange)
    }

    @Test("what a device is told comes back as the same")
    func toldToDevice() {
        for isFullRange in [false, true] {
            for (primaries, transfer, matrix) in [(1, 1, 1), (6, 6, 6), (5, 1, 5), (7, 7, 7), (9, 1, 9), (1, 13, 6)] {
                let color = ColorDescription(
                    primaries: UInt8(primaries), transfer: UInt8(transfer), matrix: UInt8(matrix),
                    isFullRange: isFullRange)
                #expect(V4L2Color(color).description(.nv12, width: 1280, height: 720) == color)
            }
        }
        let colors = ColorDescription(primaries: 1, transfer: 13, matrix: 0, isFullRange: true)
        #expect(V4L2Color(colors).description(.bgrx32, width: 1280, height: 720) == colors)
        #expect(V4L2Color(ColorDescription(primaries: 2, transfer: 2, matrix: 2)).space == 0)
    }
}
