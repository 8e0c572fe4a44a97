import Glibc
import Media

/// Draws into a plane of one byte a sample: the luma of a picture, or one plane of its chroma. What lies outside of the
/// plane is cut off.
public struct LumaCanvas {
    private let plane: VideoFrame.Plane
    /// Samples a line that may be drawn.
    public let width: Int
    /// Lines.
    public var height: Int { plane.lines }

    /// - Parameters:
    ///   - plane: must stay in place for as long as the canvas is used.
    ///   - width: samples a line, at most the plane's bytes a line.
    public init(_ plane: VideoFrame.Plane, width: Int) {
        self.plane = plane
        self.width = min(width, plane.bytesPerLine)
    }

    /// The bytes of a line, `width` of them; the line must lie within the plane.
    public func line(_ y: Int) -> UnsafeMutableBufferPointer<UInt8> {
        precondition(y >= 0 && y < plane.lines, "a line outside of the plane")
        let start = (plane.base + y * plane.bytesPerLine).assumingMemoryBound(to: UInt8.self)
        return UnsafeMutableBufferPointer(start: start, count: width)
    }

    /// Fills a rectangle with one value.
    public func fill(_ area: Area, with value: UInt8) {
        let area = area.clipped(width: width, height: height)
        guard area.width > 0 else { return }
        for y in area.y..<area.maxY {
            memset(plane.base + y * plane.bytesPerLine + area.x, Int32(value), area.width)
        }
    }

    /// Copies samples that lie line behind line without a gap.
    /// - Parameter samples: at least `area.width * area.height` bytes.
    public func copy(_ samples: UnsafePointer<UInt8>, to area: Area) {
        let visible = area.clipped(width: width, height: height)
        guard visible.width > 0 else { return }
        for y in visible.y..<visible.maxY {
            memcpy(
                plane.base + y * plane.bytesPerLine + visible.x,
                samples + (y - area.y) * area.width + (visible.x - area.x), visible.width)
        }
    }

    /// Mixes a value into a rectangle as far as a mask covers each sample.
    public func mix(_ value: UInt8, through mask: CoverageMask, x: Int, y: Int) {
        let area = Area(x: x, y: y, width: mask.width, height: mask.height)
        let visible = area.clipped(width: width, height: height)
        guard visible.width > 0 else { return }
        for line in visible.y..<visible.maxY {
            let samples = self.line(line)
            for column in visible.x..<visible.maxX {
                let coverage = Int(mask.samples[(line - y) * mask.width + column - x])
                let under = Int(samples[column])
                samples[column] = UInt8(under + ((Int(value) - under) * coverage + 127) / 255)
            }
        }
    }
}
