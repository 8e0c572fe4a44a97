import KMS
import Linux

/// A plane of a screen that is told: what a reader says of it, its memory, and what a reference says that it shows.
struct ToldLayer {
    /// Its pieces are in memory 0, whatever place that gets among others'.
    var plane: ScreenPlane
    let memory: DMAMemory
    let reference: ReferenceScreen.Plane

    /// Where a plane lies, and how.
    struct Placing {
        /// Pixels of the framebuffer.
        var width: Int
        var height: Int
        var x = 0
        var y = 0
        /// On the screen; nil for as large as the framebuffer, turned as it is.
        var target: (width: Int, height: Int)?
        var part: ReferenceScreen.Part?
        var rotation = 0
        var blend = ShownColour.Blend.premultiplied
        var alpha = 65535
        var kind = ScreenPlane.Kind.overlay

        /// The plane, without its pieces.
        func plane(_ code: String, modifier: UInt64) -> ScreenPlane {
            var plane = ScreenPlane()
            (plane.kind, plane.width, plane.height, plane.modifier) = (kind, width, height, modifier)
            plane.fourcc = code.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
            let part = part ?? ReferenceScreen.Part(width: width << 16, height: height << 16)
            (plane.sourceX, plane.sourceY) = (UInt32(part.x), UInt32(part.y))
            (plane.sourceWidth, plane.sourceHeight) = (UInt32(part.width), UInt32(part.height))
            (plane.x, plane.y, plane.targetWidth, plane.targetHeight) = (x, y, size.width, size.height)
            plane.rotation = 1 << UInt32(rotation / 90)
            plane.alpha = UInt16(alpha)
            plane.blend =
                switch blend {
                case .premultiplied: .premultiplied
                case .coverage: .coverage
                case .none: .none
                }
            return plane
        }

        private var size: (width: Int, height: Int) {
            target ?? (rotation % 180 == 0 ? (width, height) : (height, width))
        }

        func reference(_ pixel: @escaping (Int, Int) -> ShownColour) -> ReferenceScreen.Plane {
            var plane = ReferenceScreen.Plane(x: x, y: y, width: size.width, height: size.height, pixel: pixel)
            (plane.rotation, plane.blend, plane.alpha) = (rotation, blend, alpha)
            plane.part = part ?? ReferenceScreen.Part(width: width << 16, height: height << 16)
            return plane
        }
    }

    /// One with all of a pixel in one number.
    /// - Parameter drawing: the colour of each pixel, not multiplied by its alpha.
    init(
        _ format: PackedFormat, _ placing: Placing, isTTiled: Bool = false,
        _ drawing: @escaping (_ x: Int, _ y: Int) -> ShownColour
    ) throws(Errno) {
        // Tiles are 32 pixels wide and high; else lines begin where devices like it.
        let bytesPerLine = (placing.width * format.pixelBytes + 127) / 128 * 128
        let tiling: TiledMemory = isTTiled ? .tTiled(bytesPerLine: bytesPerLine) : .linear(bytesPerLine: bytesPerLine)
        memory = try DMAMemory(byteCount: bytesPerLine * ((placing.height + 31) / 32 * 32))
        let isMultiplied = placing.blend == .premultiplied
        for y in 0..<placing.height {
            for x in 0..<placing.width {
                let word = format.word(drawing(x, y), isMultiplied: isMultiplied)
                for byte in 0..<format.pixelBytes {
                    let place = tiling.place(column: x * format.pixelBytes + byte, line: y)
                    memory.bytes[place] = UInt8(truncatingIfNeeded: word >> UInt64(8 * byte))
                }
            }
        }
        var plane = placing.plane(format.code, modifier: isTTiled ? 7 << 56 | 1 : 0)
        plane.pieces.append(.init(buffer: 0, offset: 0, bytesPerLine: bytesPerLine))
        self.plane = plane
        reference = placing.reference { x, y in format.shown(drawing(x, y), isMultiplied: isMultiplied) }
    }

    // MARK: Y'CbCr

    private static func luma(_ x: Int, _ y: Int) -> Int { 16 + (2 * x + y) % 220 }
    private static func cb(_ x: Int, _ y: Int) -> Int { 16 + (3 * x + 2 * y) % 225 }
    private static func cr(_ x: Int, _ y: Int) -> Int { 240 - (x + 4 * y) % 225 }

    /// What Y'CbCr means (Rec. ITU-T H.273), with 8 bits.
    private static func colour(_ y: Int, _ cb: Int, _ cr: Int, matrix: UInt8, isFullRange: Bool) -> ShownColour {
        let (kr, kb) = matrix == 1 ? (0.2126, 0.0722) : matrix == 9 ? (0.2627, 0.0593) : (0.299, 0.114)
        let luma = isFullRange ? Double(y) / 255 : Double(y - 16) / 219
        let blueness = Double(cb - 128) / (isFullRange ? 255 : 224)
        let redness = Double(cr - 128) / (isFullRange ? 255 : 224)
        let red = luma + 2 * (1 - kr) * redness
        let blue = luma + 2 * (1 - kb) * blueness
        let green = (luma - kr * red - kb * blue) / (1 - kr - kb)
        func value(_ value: Double) -> Int { Int((min(max(value, 0), 1) * 255).rounded()) * 257 }
        return ShownColour(red: value(red), green: value(green), blue: value(blue))
    }

    /// One of NV12.
    /// - Parameter sandBytes: the width of a column of SAND; nil for LINEAR.
    static func nv12(
        _ placing: Placing, matrix: UInt8 = 6, isFullRange: Bool = false, sandBytes: Int? = nil
    ) throws(Errno) -> ToldLayer {
        let (width, height) = (placing.width, placing.height)
        let lines = height + height / 2
        let tiling = sandBytes.map { TiledMemory.sand(columnBytes: $0, columnLines: lines) }
        let memory = try DMAMemory(byteCount: (width + 255) / 256 * 256 * lines)
        // The lines of chroma are below those of luma: in all of a column, or in all of the memory.
        let luma = tiling ?? .linear(bytesPerLine: width)
        for y in 0..<height {
            for x in 0..<width {
                memory.bytes[luma.place(column: x, line: y)] = UInt8(Self.luma(x, y))
                guard y % 2 == 0, x % 2 == 0 else { continue }
                memory.bytes[luma.place(column: x, line: height + y / 2)] = UInt8(cb(x / 2, y / 2))
                memory.bytes[luma.place(column: x + 1, line: height + y / 2)] = UInt8(cr(x / 2, y / 2))
            }
        }
        let code: UInt64 = sandBytes == 64 ? 3 : sandBytes == 128 ? 4 : 5
        var plane = placing.plane("NV12", modifier: sandBytes == nil ? 0 : 7 << 56 | UInt64(lines) << 8 | code)
        plane.pieces.append(.init(buffer: 0, offset: 0, bytesPerLine: width))
        plane.pieces.append(.init(buffer: 0, offset: height * (sandBytes ?? width), bytesPerLine: width))
        (plane.matrix, plane.isFullRange) = (matrix, isFullRange)
        return ToldLayer(
            plane: plane, memory: memory,
            reference: placing.reference { x, y in
                colour(Self.luma(x, y), cb(x / 2, y / 2), cr(x / 2, y / 2), matrix: matrix, isFullRange: isFullRange)
            })
    }

    /// One of YUYV.
    static func yuyv(_ placing: Placing, matrix: UInt8 = 6, isFullRange: Bool = false) throws(Errno) -> ToldLayer {
        let memory = try DMAMemory(byteCount: 2 * placing.width * placing.height)
        for y in 0..<placing.height {
            for x in 0..<placing.width {
                let place = 2 * (y * placing.width + x)
                memory.bytes[place] = UInt8(luma(x, y))
                memory.bytes[place + 1] = UInt8(x % 2 == 0 ? cb(x / 2, y) : cr(x / 2, y))
            }
        }
        var plane = placing.plane("YUYV", modifier: 0)
        plane.pieces.append(.init(buffer: 0, offset: 0, bytesPerLine: 2 * placing.width))
        (plane.matrix, plane.isFullRange) = (matrix, isFullRange)
        return ToldLayer(
            plane: plane, memory: memory,
            reference: placing.reference { x, y in
                colour(luma(x, y), cb(x / 2, y), cr(x / 2, y), matrix: matrix, isFullRange: isFullRange)
            })
    }

    private init(plane: ScreenPlane, memory: DMAMemory, reference: ReferenceScreen.Plane) {
        (self.plane, self.memory, self.reference) = (plane, memory, reference)
    }
}
