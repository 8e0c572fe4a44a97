import KMS
import Pixels

/// One plane over a whole screen, with memory of its own, for tests that change a thing about it.
struct ScreenFixture {
    var layer: ScreenLayer
    private let memory: [GuardedMemory]

    init(_ format: FormatName, width: Int, height: Int, modifier: UInt64 = 0) {
        var plane = ScreenPlane()
        plane.fourcc = format.fourcc
        plane.modifier = modifier
        (plane.width, plane.height, plane.targetWidth, plane.targetHeight) = (width, height, width, height)
        (plane.sourceWidth, plane.sourceHeight) = (UInt32(width << 16), UInt32(height << 16))
        var blocks: [GuardedMemory] = []
        for (index, shape) in format.pieces(width: width, height: height).enumerated() {
            let block = GuardedMemory(byteCount: shape.bytes * shape.lines)
            for place in block.bytes.indices { block.bytes[place] = UInt8(truncatingIfNeeded: place * 7 + index) }
            plane.pieces.append(ScreenPlane.Piece(buffer: index, offset: 0, bytesPerLine: shape.bytes))
            blocks.append(block)
        }
        layer = ScreenLayer(plane)
        for (index, block) in blocks.enumerated() { layer[memory: index] = UnsafeRawBufferPointer(block.bytes) }
        memory = blocks
    }
}
