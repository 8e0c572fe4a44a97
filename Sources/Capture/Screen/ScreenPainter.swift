import KMS
import Media
import Pixels

/// Puts the picture of a screen into frames. Used by one thread.
///
/// Where one plane is all that is seen, it is converted or copied from where it lies. Else the planes are put together.
final class ScreenPainter {
    /// What R'G'B' of a screen means: sRGB, all values.
    static let color = SimpleScreen.composedColor
    /// What the results' samples mean.
    let color: ColorDescription
    private let mode: ScreenMode
    private let width: Int
    private let height: Int
    private let target: PixelFormat
    /// From a canvas into frames; nil where planes are put together in frames themselves.
    private let reduction: Conversion?
    private var canvas: VideoFrame?
    private var composer: (Composer, Turn)?
    private var layers: [ScreenLayer] = []
    /// What brings memory as it lies into frames, for the last of its layouts.
    private var conversion: (Conversion, PixelFormat)?
    /// How views of late were read, the last one first: a program goes round with few framebuffers.
    private var readings: [Reading] = []
    private static let mostReadings = 4

    /// How a view is read.
    private struct Reading {
        let signature: UInt64
        /// The memory of a view that is read as it lies, and what brings it into frames.
        let direct: (source: VideoFrame, pieces: [ScreenPiece], conversion: Conversion)?
    }

    /// - Parameters:
    ///   - mode: the screen's.
    ///   - width: of the result, even.
    ///   - height: of the result, even.
    ///   - target: BGRX32, NV12 or YUV420.
    ///   - meaning: what results in Y'CbCr are to mean, by BT.601's or BT.709's matrix; nil for BT.601 in limited range.
    /// - Throws: `Failure` of kind internalFault for another target.
    init(
        _ mode: ScreenMode, width: Int, height: Int, target: PixelFormat, meaning: ColorDescription? = nil
    ) throws(Failure) {
        (self.mode, self.width, self.height, self.target) = (mode, width, height, target)
        guard [.bgrx32, .nv12, .yuv420].contains(target) else {
            throw Failure(
                .internalFault, "cannot draw a screen as \(target.rawValue)",
                because: "pictures of a screen are BGRX32, NV12 or YUV420")
        }
        let usual = Conversion.color(of: .bgrx32, Self.color, to: target)
        color = target == .bgrx32 ? usual : meaning ?? usual
        reduction =
            color == usual
            ? nil
            : try Conversion(
                from: .bgrx32, to: target, width: width, height: height, color: Self.color, meaning: color)
        layers.reserveCapacity(ScreenView.mostPlanes)
        readings.reserveCapacity(Self.mostReadings + 1)
    }

    /// Draws a view's picture.
    /// - Parameters:
    ///   - view: of a lit screen with the painter's mode, known or not.
    ///   - memory: what it shows; it is mapped here.
    ///   - turn: how its picture is turned.
    ///   - frame: in the target's layout.
    /// - Throws: `Failure` of kind noSource when memory cannot be read, or a plane cannot be shown.
    func paint(
        _ view: ScreenView, _ memory: [ScreenPiece], _ turn: Turn, onto frame: VideoFrame
    ) throws(Failure) {
        var begun = 0
        defer { for piece in memory.prefix(begun) { piece.end() } }
        for piece in memory {
            do {
                try piece.begin(.reading)
            } catch {
                throw Failure(
                    .noSource, "cannot read what the screen shows", because: "its memory cannot be mapped: \(error)")
            }
            begun += 1
        }
        if let direct = try reading(of: view, memory, turn).direct {
            // Only a broken JPEG cannot be converted.
            _ = direct.conversion.convert(direct.source, to: frame)
        } else {
            try compose(view, memory, turn, onto: frame)
        }
    }

    /// Forgets the memory of views before.
    func forget() {
        readings.removeAll(keepingCapacity: true)
    }

    private func reading(
        of view: ScreenView, _ memory: [ScreenPiece], _ turn: Turn
    ) throws(Failure) -> Reading {
        if let place = readings.firstIndex(where: { $0.signature == view.signature }) {
            if place > 0 { readings.swapAt(0, place) }
            return readings[0]
        }
        let reading = Reading(signature: view.signature, direct: try direct(view, memory, turn))
        readings.insert(reading, at: 0)
        if readings.count > Self.mostReadings { readings.removeLast() }
        return reading
    }

    /// The picture as it lies in memory; nil where it has to be put together.
    private func direct(
        _ view: ScreenView, _ memory: [ScreenPiece], _ turn: Turn
    ) throws(Failure) -> (VideoFrame, [ScreenPiece], Conversion)? {
        guard let simple = SimpleScreen(view.planes, width: mode.width, height: mode.height, turn: turn),
            isReadable(simple)
        else { return nil }
        let conversion = try conversion(from: simple)
        let layer = layer(view.planes[simple.plane], memory)
        let source = VideoFrame(index: 0, planes: try simple.planes(of: layer))
        return (source, memory, conversion)
    }

    private func conversion(from simple: SimpleScreen) throws(Failure) -> Conversion {
        if let conversion, conversion.1 == simple.pixelFormat { return conversion.0 }
        let new = try Conversion(
            from: simple.pixelFormat, to: target, width: width, height: height, color: simple.color, meaning: color)
        conversion = (new, simple.pixelFormat)
        return new
    }

    /// Whether a picture that lies as it is shown is brought into frames from there: Y'CbCr only where it is to mean the same
    /// and its chroma stays what it is.
    private func isReadable(_ simple: SimpleScreen) -> Bool {
        if target == .bgrx32 { return simple.pixelFormat == .bgrx32 }
        if simple.pixelFormat.isRGB { return true }
        return (simple.pixelFormat == .nv12 || simple.pixelFormat == .yuv420)
            && (simple.color.matrix, simple.color.isFullRange) == (color.matrix, color.isFullRange)
    }

    private func compose(
        _ view: ScreenView, _ memory: [ScreenPiece], _ turn: Turn, onto frame: VideoFrame
    ) throws(Failure) {
        layers.removeAll(keepingCapacity: true)
        for plane in view.planes { layers.append(layer(plane, memory)) }
        guard let reduction else { return try composer(turn).compose(layers, onto: frame, as: target) }
        let canvas = canvas ?? VideoFrame(index: 0, width: width, height: height, pixelFormat: .bgrx32)
        self.canvas = canvas
        try composer(turn).compose(layers, onto: canvas)
        _ = reduction.convert(canvas, to: frame)
    }

    private func composer(_ turn: Turn) -> Composer {
        if let composer, composer.1 == turn { return composer.0 }
        // Of a screen with an odd number of columns or lines the last is left out.
        let new = Composer(
            screenWidth: turn.exchangesAxes ? height : width, screenHeight: turn.exchangesAxes ? width : height,
            turn: turn)
        composer = (new, turn)
        return new
    }

    private func layer(_ plane: ScreenPlane, _ memory: [ScreenPiece]) -> ScreenLayer {
        var layer = ScreenLayer(plane)
        for (index, piece) in plane.pieces.enumerated() where memory.indices.contains(piece.buffer) {
            layer[memory: index] = UnsafeRawBufferPointer(memory[piece.buffer].bytes)
        }
        return layer
    }
}
