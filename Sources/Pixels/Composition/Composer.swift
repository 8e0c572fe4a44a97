import KMS
import Media

/// Puts the planes of a screen together, as the display engine does. It keeps all that it needs, so that nothing is
/// allocated for a picture; only what is turned or very wide for the first time takes memory. Used by one thread.
///
/// The formulas are in docs/screen.md, "How planes are put together".
public final class Composer {
    /// Pixels a line of the result: the screen's height, where its picture is turned by a quarter.
    public let width: Int
    /// Lines of the result.
    public let height: Int
    private let screenWidth: Int
    private let screenHeight: Int
    private let turn: Turn
    private var layers: [PlacedLayer] = []
    private var patches = PatchList()
    private let fetch: LineFetch
    private let turning = LayerTurning()
    /// A line of one layer, and a line of the result with 16 bits for each colour.
    private let line: UnsafeMutablePointer<UInt32>
    private let deepLine: UnsafeMutablePointer<UInt64>
    private let deepResult: UnsafeMutablePointer<UInt64>
    private var band: LineBand?

    /// - Parameters:
    ///   - screenWidth: pixels a line of the screen.
    ///   - screenHeight: its lines.
    ///   - turn: how the whole picture is turned.
    public init(screenWidth: Int, screenHeight: Int, turn: Turn = .none) {
        precondition(screenWidth > 0 && screenHeight > 0, "a screen has pixels")
        (self.screenWidth, self.screenHeight, self.turn) = (screenWidth, screenHeight, turn)
        width = turn.exchangesAxes ? screenHeight : screenWidth
        height = turn.exchangesAxes ? screenWidth : screenHeight
        layers.reserveCapacity(ScreenView.mostPlanes)
        fetch = LineFetch(layerCount: ScreenView.mostPlanes, length: max(width, height))
        line = .allocate(capacity: max(width, height))
        deepLine = .allocate(capacity: max(width, height))
        deepResult = .allocate(capacity: width)
    }

    deinit {
        line.deallocate()
        deepLine.deallocate()
        deepResult.deallocate()
    }

    /// What speaks against recording a plane: its format, the modifier of its memory, or a geometry that cannot be.
    /// - Returns: nil for a plane that `compose` takes, where its memory is as large as it says.
    public static func objection(to plane: ScreenPlane) -> Failure? { PlaneObjection.find(plane) }

    /// What speaks against recording a plane in very few words, "ARM AFBC"; nil where there are none.
    public static func briefObjection(to plane: ScreenPlane) -> String? { PlaneObjection.brief(plane) }

    /// Draws all of a picture.
    /// - Parameters:
    ///   - planes: from the lowest to the highest, `ScreenView.mostPlanes` at most. Memory that devices write is read as it
    ///     stands, each line once; whoever calls has waited for them.
    ///   - frame: `width` × `height`. Black where no plane is. The fourth bytes of BGRX32 have no meaning afterwards.
    ///   - pixelFormat: the frame's: BGRX32, or NV12 or YUV420 of even size, whose samples are those that a `Conversion` makes
    ///     out of BGRX32 with `SimpleScreen.composedColor`.
    /// - Throws: `Failure` of kind noSource for a plane that cannot be read, before anything is drawn, and of kind
    ///   internalFault for another layout.
    public func compose(
        _ planes: [ScreenLayer], onto frame: VideoFrame, as pixelFormat: PixelFormat = .bgrx32
    ) throws(Failure) {
        let first = frame.planes[0]
        precondition(
            first.bytesPerLine >= (pixelFormat == .bgrx32 ? 4 : 1) * width && first.lines >= height,
            "a frame is as large as the picture")
        try place(planes)
        if pixelFormat == .bgrx32 {
            return draw(0..<height, first.base, bytesPerLine: first.bytesPerLine)
        }
        guard pixelFormat == .nv12 || pixelFormat == .yuv420, width % 2 == 0, height % 2 == 0 else {
            throw Failure(
                .internalFault, "cannot put planes together as \(pixelFormat.rawValue) of \(width)x\(height)",
                because: "results are BGRX32, or NV12 and YUV420 of even size")
        }
        let band = band ?? LineBand(width: width)
        self.band = band
        for top in stride(from: 0, to: height, by: LineBand.lines) {
            let lines = top..<min(top + LineBand.lines, height)
            draw(lines, band.base, bytesPerLine: band.bytesPerLine)
            band.reduce(to: frame, pixelFormat, lines)
        }
    }

    private func place(_ planes: [ScreenLayer]) throws(Failure) {
        precondition(planes.count <= ScreenView.mostPlanes, "a screen has a bounded number of planes")
        layers.removeAll(keepingCapacity: true)
        for plane in planes {
            let placed = try PlacedLayer(plane, width: screenWidth, height: screenHeight, turn: turn)
            if let placed { layers.append(placed) }
        }
        turning.begin(layers)
        for number in layers.indices {
            fetch.prepare(layers[number], number: number)
            if layers[number].isTurned {
                layers[number] = turning.turn(layers[number], number: number, fetch)
                fetch.prepare(layers[number], number: number)
            }
        }
        patches.divide(layers, width: width, height: height)
    }

    /// - Parameters:
    ///   - lines: of the picture.
    ///   - base: where the first of them begins.
    private func draw(_ lines: Range<Int>, _ base: UnsafeMutableRawPointer, bytesPerLine: Int) {
        for patch in patches.all {
            let shared = lines.clamped(to: patch.area.top..<patch.area.bottom)
            // Patches come from the top down.
            if patch.area.top >= lines.upperBound { break }
            if shared.isEmpty { continue }
            let stack = patches.layers[patch.stack]
            let columns = patch.area.left..<patch.area.right
            let isDeep = needsDepth(stack)
            for y in shared {
                let start = base + (y - lines.lowerBound) * bytesPerLine
                let result = start.assumingMemoryBound(to: UInt32.self) + columns.lowerBound
                if isDeep {
                    drawDeep(stack, y, columns, result)
                } else {
                    drawShallow(stack, y, columns, result)
                }
            }
        }
    }

    /// Whether 8 bits for each colour would give another result than 16. They do not as long as what lies below has 8 bits
    /// and one layer of 8 bits, without an alpha of its plane, is put over it (`LineBlending.shallow`).
    private func needsDepth(_ stack: ArraySlice<Int>) -> Bool {
        guard let lowest = stack.first else { return false }
        let hasGround = layers[lowest].isWholeOverBlack
        let above = stack.dropFirst(hasGround ? 1 : 0)
        guard let only = above.first else { return false }
        let isGroundDeep = hasGround && layers[lowest].layout.isDeep
        return above.count > 1 || isGroundDeep || layers[only].layout.isDeep || layers[only].alpha != 0xFFFF
    }

    private func drawShallow(
        _ stack: ArraySlice<Int>, _ y: Int, _ columns: Range<Int>, _ result: UnsafeMutablePointer<UInt32>
    ) {
        var stack = stack
        if let ground = stack.first, layers[ground].isWholeOverBlack {
            fetchShallow(ground, y, columns, result)
            stack = stack.dropFirst()
        } else {
            result.update(repeating: 0, count: columns.count)
        }
        for number in stack {
            fetchShallow(number, y, columns, line)
            LineBlending.shallow(line, columns.count, layers[number].blend, over: result)
        }
    }

    private func drawDeep(
        _ stack: ArraySlice<Int>, _ y: Int, _ columns: Range<Int>, _ result: UnsafeMutablePointer<UInt32>
    ) {
        var stack = stack
        if let ground = stack.first, layers[ground].isWholeOverBlack {
            fetchDeep(ground, y, columns, deepResult)
            stack = stack.dropFirst()
        } else {
            deepResult.update(repeating: 0, count: columns.count)
        }
        for number in stack {
            fetchDeep(number, y, columns, deepLine)
            LineBlending.deep(
                deepLine, columns.count, layers[number].blend, alpha: layers[number].alpha, over: deepResult)
        }
        LineReading.narrow(deepResult, columns.count, result)
    }

    private func fetchShallow(
        _ number: Int, _ y: Int, _ columns: Range<Int>, _ result: UnsafeMutablePointer<UInt32>
    ) {
        let target = layers[number].target
        fetch.shallow(
            layers[number], number: number, line: y - target.top,
            (columns.lowerBound - target.left)..<(columns.upperBound - target.left), to: result)
    }

    private func fetchDeep(
        _ number: Int, _ y: Int, _ columns: Range<Int>, _ result: UnsafeMutablePointer<UInt64>
    ) {
        let target = layers[number].target
        fetch.deep(
            layers[number], number: number, line: y - target.top,
            (columns.lowerBound - target.left)..<(columns.upperBound - target.left), to: result)
    }
}
