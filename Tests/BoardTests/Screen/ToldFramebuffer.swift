import Glibc
import KMS
import Media
import V4L2

@testable import Capture

/// A framebuffer in memory that devices share (udmabuf), as a compositor would have drawn it.
final class ToldFramebuffer {
    let width: Int
    let height: Int
    let bytesPerLine: Int
    let buffer: SharedBuffer
    let inode: UInt64
    private let map: SharedMap

    init(_ width: Int, _ height: Int, bytesPerLine: Int? = nil, number: Int = 0) throws {
        (self.width, self.height, self.bytesPerLine) = (width, height, bytesPerLine ?? 4 * width)
        buffer = try DeviceMemory.make(self.bytesPerLine * height)
        inode = try ScreenPiece.inode(of: buffer.descriptor)
        map = try SharedMap(buffer)
        draw(number)
    }

    deinit { close(buffer.descriptor) }

    /// Draws picture `number`: no two pixels of a line, and no two pictures, are alike.
    func draw(_ number: Int) {
        for y in 0..<height {
            for x in 0..<width { put(UInt32(truncatingIfNeeded: x &* 65537 ^ y &* 257 ^ number &* 0x2F1B3D), x, y) }
        }
    }

    /// Draws a pixel, X, R, G, B from the highest byte on.
    func put(_ pixel: UInt32, _ x: Int, _ y: Int) {
        map.bytes.storeBytes(of: pixel, toByteOffset: y * bytesPerLine + 4 * x, as: UInt32.self)
    }

    /// All of its memory.
    var bytes: UnsafeMutableRawBufferPointer { map.bytes }

    /// The bytes of its picture, line after line.
    func picture(_ width: Int, _ height: Int) -> [UInt8] {
        (0..<height).flatMap { Array(map.bytes[$0 * bytesPerLine..<$0 * bytesPerLine + 4 * width]) }
    }

    /// A plane that shows all of it.
    func plane(kind: ScreenPlane.Kind = .primary) -> ScreenPlane {
        var plane = ScreenPlane()
        (plane.id, plane.kind, plane.framebuffer) = (31, kind, UInt32(truncatingIfNeeded: inode))
        (plane.width, plane.height, plane.fourcc) = (width, height, ScreenPlane.xrgb8888)
        plane.pieces.append(ScreenPlane.Piece(buffer: 0, offset: 0, bytesPerLine: bytesPerLine))
        (plane.sourceWidth, plane.sourceHeight) = (UInt32(width) << 16, UInt32(height) << 16)
        (plane.targetWidth, plane.targetHeight) = (width, height)
        return plane
    }
}
