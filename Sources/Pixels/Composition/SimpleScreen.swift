import KMS
import Media

/// A screen whose picture lies in the memory of one plane as it is shown: nothing has to be put together.
public struct SimpleScreen: Hashable, Sendable {
    /// The plane's place among those of the screen.
    public let plane: Int
    /// What the plane's memory can be read as.
    public let pixelFormat: PixelFormat
    /// What its samples mean. A screen's R'G'B' is sRGB.
    public let color: ColorDescription
    /// For each plane of the picture, bytes from the piece's offset to the first sample that is shown: 0, unless a part of a
    /// larger framebuffer is shown.
    public let offsets: [Int]

    /// What a composed picture means.
    public static let composedColor = ColorDescription(primaries: 1, transfer: 13, matrix: 0, isFullRange: true)

    /// - Parameters:
    ///   - planes: the planes that show something, the lowest first.
    ///   - width: pixels a line of the screen.
    ///   - height: its lines.
    ///   - turn: how the whole picture is turned.
    /// - Returns: nil unless the highest plane covers all of the screen: opaque, in linear memory, not scaled, and not
    ///   turned once the picture is.
    public init?(_ planes: [ScreenPlane], width: Int, height: Int, turn: Turn = .none) {
        guard let top = planes.last, PlaneObjection.find(top) == nil,
            let layout = PlaneLayout(fourcc: top.fourcc), let pixelFormat = layout.pixelFormat
        else { return nil }
        // What is premultiplied adds to black what it is.
        let isAlone = planes.count == 1 && top.blend != .coverage
        guard top.modifier == 0, top.alpha == 0xFFFF, !layout.hasAlpha || top.blend == .none || isAlone,
            top.x == 0, top.y == 0, top.targetWidth == width, top.targetHeight == height,
            Orientation(top.rotation).within(turn) == Orientation(Orientation.rotate0)
        else { return nil }
        let shown = turn.exchangesAxes ? (width: height, height: width) : (width: width, height: height)
        guard Int(top.sourceWidth) == shown.width << 16, Int(top.sourceHeight) == shown.height << 16 else {
            return nil
        }
        let (x, y) = (Int(top.sourceX), Int(top.sourceY))
        guard x & 0xFFFF == 0, y & 0xFFFF == 0,
            let offsets = layout.offsets(x: x >> 16, y: y >> 16, top.pieces)
        else { return nil }
        plane = planes.count - 1
        self.pixelFormat = pixelFormat
        self.offsets = offsets
        color =
            pixelFormat.isRGB
            ? Self.composedColor
            : ColorDescription(primaries: 1, transfer: 1, matrix: top.matrix, isFullRange: top.isFullRange)
    }

    /// The picture as it lies in memory.
    /// - Parameter layer: the plane, with all of its memory.
    /// - Throws: `Failure` of kind noSource when the plane says that it reaches past its memory.
    public func planes(of layer: ScreenLayer) throws(Failure) -> [VideoFrame.Plane] {
        guard let layout = PlaneLayout(fourcc: layer.plane.fourcc) else {
            throw PlaneObjection.format(of: layer.plane)
        }
        let height = Int(layer.plane.sourceHeight >> 16)
        var planes: [VideoFrame.Plane] = []
        for index in 0..<layout.pieceCount {
            let piece = try PlacedLayer.memory(of: layer, index, layout)
            let lines = layout.line(piece: index, of: height - 1) + 1
            planes.append(
                VideoFrame.Plane(
                    base: UnsafeMutableRawPointer(mutating: piece.base + offsets[index]),
                    bytesPerLine: piece.bytesPerLine, lines: lines))
        }
        return planes
    }
}

extension PlaneLayout {
    /// The layout of pictures that is the same, where there is one.
    fileprivate var pixelFormat: PixelFormat? {
        switch name {
        case "XRGB8888", "ARGB8888": .bgrx32
        case "XBGR8888", "ABGR8888": .rgbx32
        case "BGRX8888", "BGRA8888": .xrgb32
        case "RGB888": .bgr24
        case "BGR888": .rgb24
        case "NV12": .nv12
        case "NV16": .nv16
        case "NV24": .nv24
        case "YUV420": .yuv420
        case "YUYV": .yuyv
        case "UYVY": .uyvy
        default: nil
        }
    }

    /// Bytes from each piece's offset to the pixel at a place; nil where chroma would be cut apart.
    fileprivate func offsets(x: Int, y: Int, _ pieces: ScreenPlane.Pieces) -> [Int]? {
        if case .yCbCr(let places) = reading {
            guard x & ((1 << places.columnShift) - 1) == 0, y & ((1 << places.lineShift) - 1) == 0 else { return nil }
        }
        return (0..<pieceCount).map { index in
            line(piece: index, of: y) * pieces[index].bytesPerLine + lineBytes(piece: index, count: x)
        }
    }
}
