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

    /// Draws all of a picture.
    /// - Parameters:
    ///   - planes: from the lowest to the highest, `ScreenView.mostPlanes` at most. Memory that devices write is read as it
    ///     stands; whoever calls has waited for them.
    ///   - canvas: a frame of BGRX32, `width` × `height`. The fourth bytes of its pixels have no meaning afterwards. Black
    ///     where no plane is.
    /// - Throws: `Failure` of kind noSource for a plane that cannot be read, before anything is drawn.
    public func compose(_ planes: [ScreenLayer], onto canvas: VideoFrame) throws(Failure) {
        let plane = canvas.planes[0]
        precondition(plane.bytesPerLine >= 4 * width && plane.lines >= height, "a canvas is as large as the picture")
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
        for patch in patches.all { draw(patch, plane) }
    }

    private func draw(_ patch: Patch, _ canvas: VideoFrame.Plane) {
        let stack = patches.layers[patch.stack]
        let isDeep = needsDepth(stack)
        for y in patch.area.top..<patch.area.bottom {
            let result = (canvas.base + y * canvas.bytesPerLine).assumingMemoryBound(to: UInt32.self)
            if isDeep {
                drawDeep(stack, y, patch.area.left..<patch.area.right, result + patch.area.left)
            } else {
                drawShallow(stack, y, patch.area.left..<patch.area.right, result + patch.area.left)
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
