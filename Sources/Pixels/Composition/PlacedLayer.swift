import KMS
import Media

/// A layer that was found sound: where it lies on the canvas, how its pixels are found, and memory of which every byte that
/// will be read is known to be there.
struct PlacedLayer {
    var layout: PlaneLayout
    /// Where it lies on the canvas; parts may be outside.
    var target: Rectangle
    /// The part that is on the canvas.
    var visible: Rectangle
    /// Columns of the source along the lines of the canvas; along its columns where turned.
    var columns: SampleAxis
    /// Lines of the source.
    var lines: SampleAxis
    var isTurned: Bool
    /// The first bytes of the pieces, at their offsets.
    var bases: (UnsafeRawPointer, UnsafeRawPointer, UnsafeRawPointer)
    var bytesPerLine: (Int, Int, Int)
    /// Of the first piece and of the second.
    var tilings: (Tiling, Tiling)
    /// The plane's own, 0…65535.
    var alpha: UInt32
    /// What the pixels' alpha means; none as well for a layout without one.
    var blend: ScreenPlane.Blend
    var conversion: YCbCrConversion

    /// Whether nothing below is to be seen through it.
    var isOpaque: Bool { blend == .none && alpha == 0xFFFF }
    /// Whether it can be put down as it is where nothing lies below: black adds nothing to premultiplied colours.
    var isWholeOverBlack: Bool { alpha == 0xFFFF && blend != .coverage }

    /// - Parameters:
    ///   - width: pixels a line of the screen, before the turn.
    ///   - height: lines of the screen, before the turn.
    /// - Returns: nil for one of which nothing is seen.
    /// - Throws: what speaks against the plane, or kind noSource when it says that it reaches past its memory.
    init?(_ layer: ScreenLayer, width: Int, height: Int, turn: Turn) throws(Failure) {
        let plane = layer.plane
        guard let layout = PlaneLayout(fourcc: plane.fourcc) else { throw PlaneObjection.format(of: plane) }
        if let objection = PlaneObjection.find(plane) { throw objection }
        let canvas = Rectangle(left: 0, top: 0, right: width, bottom: height)
        let onScreen = Rectangle(
            left: plane.x, top: plane.y, right: plane.x + plane.targetWidth, bottom: plane.y + plane.targetHeight)
        let seen = onScreen.intersected(canvas)
        guard !seen.isEmpty, plane.alpha > 0, plane.sourceWidth > 0, plane.sourceHeight > 0 else { return nil }
        let others = plane.pieces[min(1, layout.pieceCount - 1)]
        guard
            let tiling = Tiling(modifier: plane.modifier, layout, bytesPerLine: plane.pieces[0].bytesPerLine),
            let second = Tiling(modifier: plane.modifier, layout, bytesPerLine: others.bytesPerLine)
        else { return nil }
        self.layout = layout
        tilings = (tiling, second)
        target = onScreen.turned(turn, width: width, height: height)
        visible = seen.turned(turn, width: width, height: height)
        let orientation = Orientation(plane.rotation).within(turn)
        isTurned = orientation.isTurned
        columns = SampleAxis(
            start: UInt64(plane.sourceX), length: UInt64(plane.sourceWidth),
            count: isTurned ? target.height : target.width, isReversed: orientation.isColumnReversed)
        lines = SampleAxis(
            start: UInt64(plane.sourceY), length: UInt64(plane.sourceHeight),
            count: isTurned ? target.width : target.height, isReversed: orientation.isLineReversed)
        alpha = UInt32(plane.alpha)
        blend = layout.hasAlpha ? plane.blend : .none
        conversion = YCbCrConversion(matrix: plane.matrix, isFullRange: plane.isFullRange)
        let first = try Self.memory(of: layer, 0, layout, tiling)
        let next = layout.pieceCount > 1 ? try Self.memory(of: layer, 1, layout, second) : first
        // What has three pieces is linear.
        let third = layout.pieceCount > 2 ? try Self.memory(of: layer, 2, layout, second) : first
        bases = (first.base, next.base, third.base)
        bytesPerLine = (first.bytesPerLine, next.bytesPerLine, third.bytesPerLine)
    }

    /// A picture of the composer's own, as large as the visible part of `layer`, in its place.
    init(
        replacing layer: PlacedLayer, by base: UnsafeRawPointer, layout: PlaneLayout, bytesPerLine: Int
    ) {
        self = layer
        self.layout = layout
        target = layer.visible
        tilings = (.linear, .linear)
        isTurned = false
        columns = SampleAxis(
            start: 0, length: UInt64(visible.width) << 16, count: visible.width, isReversed: false)
        lines = SampleAxis(
            start: 0, length: UInt64(visible.height) << 16, count: visible.height, isReversed: false)
        bases = (base, base, base)
        self.bytesPerLine = (bytesPerLine, bytesPerLine, bytesPerLine)
    }

    /// The piece's first line, once all of the part that is shown is seen to lie within the memory.
    static func memory(
        of layer: ScreenLayer, _ index: Int, _ layout: PlaneLayout, _ tiling: Tiling = .linear
    ) throws(Failure) -> (base: UnsafeRawPointer, bytesPerLine: Int) {
        let (plane, memory) = (layer.plane, layer[memory: index])
        let piece = plane.pieces[index]
        // The part lies within the framebuffer, so both fit 16 bits.
        let lastColumn = Int((UInt64(plane.sourceX) + UInt64(plane.sourceWidth) - 1) >> 16)
        let lastLine = Int((UInt64(plane.sourceY) + UInt64(plane.sourceHeight) - 1) >> 16)
        let end = tiling.end(
            line: layout.line(piece: index, of: lastLine),
            lineBytes: layout.lineBytes(piece: index, count: lastColumn + 1), bytesPerLine: piece.bytesPerLine)
        let (needed, isTooMuch) = (end ?? Int.max).addingReportingOverflow(piece.offset)
        guard !isTooMuch, needed <= memory.count, let base = memory.baseAddress else {
            throw PlaneObjection.memory(of: plane, index, memory.count)
        }
        return (base + piece.offset, piece.bytesPerLine)
    }
}
