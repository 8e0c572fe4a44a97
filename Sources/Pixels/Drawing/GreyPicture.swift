import Glibc
import Media

/// Draws in grey into a picture of any layout, but for JPEG. What lies outside of the picture is cut off.
public struct GreyPicture {
    private let planes: [VideoFrame.Plane]
    private let format: VideoFormat

    /// - Parameters:
    ///   - planes: in the order of the format's planes; must stay in place for as long as the picture is drawn.
    ///   - format: the size, the layout, and whether samples use all values.
    public init(_ planes: [VideoFrame.Plane], _ format: VideoFormat) {
        self.planes = planes
        self.format = format
    }

    /// The code value of a grey.
    /// - Parameter grey: from 0, black, to 1, white.
    public func code(_ grey: Double) -> UInt8 {
        // Of grey R', G' and B' are what luma is, so that the matrix does not matter.
        SampleValue(red: grey, green: grey, blue: grey, color: format.color).y
    }

    /// Fills the picture.
    public func fill(_ grey: Double) {
        let value = code(grey)
        let shapes = format.pixelFormat.planes(width: format.width, height: format.height)
        for (index, (plane, shape)) in zip(planes, shapes).enumerated() {
            let isChroma = !isPacked && index > 0
            for y in 0..<min(shape.lines, plane.lines) {
                memset(plane.base + y * plane.bytesPerLine, Int32(isChroma ? 128 : value), shape.bytesPerLine)
            }
        }
        guard let chroma = place.chroma else { return }
        for y in 0..<format.height {
            let line = (planes[0].base + y * planes[0].bytesPerLine).assumingMemoryBound(to: UInt8.self)
            for x in 0..<format.width { line[2 * x + chroma] = 128 }
        }
    }

    /// Mixes a grey in as far as a mask covers each pixel.
    /// - Parameters:
    ///   - under: the grey that is there.
    ///   - x: the mask's leftmost column.
    ///   - y: its topmost line.
    public func mix(_ grey: Double, over under: Double, through mask: CoverageMask, x: Int, y: Int) {
        let area = Area(x: x, y: y, width: mask.width, height: mask.height)
        let visible = area.clipped(width: format.width, height: format.height)
        let (low, high) = (Int(code(under)), Int(code(grey)))
        guard visible.width > 0 else { return }
        let place = self.place
        for row in visible.y..<visible.maxY {
            let line = (planes[0].base + row * planes[0].bytesPerLine).assumingMemoryBound(to: UInt8.self)
            for column in visible.x..<visible.maxX {
                let coverage = Int(mask.samples[(row - y) * mask.width + column - x])
                guard coverage > 0 else { continue }
                let value = UInt8(low + ((high - low) * coverage + 127) / 255)
                for part in 0..<place.parts { line[column * place.step + place.first + part] = value }
            }
        }
    }

    private var isPacked: Bool { planes.count == 1 }

    /// Where a pixel's light lies in a line of the first plane: the first byte of the first pixel, bytes from one pixel to
    /// the next, and how many bytes are the same; and the place of a pixel's chroma where it lies in between.
    private var place: (first: Int, step: Int, parts: Int, chroma: Int?) {
        switch format.pixelFormat {
        case .nv12, .yuv420, .nv16, .nv24, .mjpeg: (0, 1, 1, nil)
        case .yuyv: (0, 2, 1, 1)
        case .uyvy: (1, 2, 1, 0)
        case .rgb24, .bgr24: (0, 3, 3, nil)
        case .xrgb32, .bgrx32, .rgbx32: (0, 4, 4, nil)
        }
    }
}
