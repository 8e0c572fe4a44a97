import KMS
import Media

/// What speaks against showing a plane.
enum PlaneObjection {
    /// The widest and highest framebuffer, and the largest target: more than any display has, and small enough for
    /// arithmetic without overflow.
    private static let mostPixels = 65535
    private static let mostTarget = 1 << 20

    /// What decoders of films with more than 8 bits give, which no program draws: P030, P010, P012, P016, NV15, NV20, Y210,
    /// XVYU2101010.
    private static let films: Set<UInt32> = [
        0x3033_3050, 0x3031_3050, 0x3231_3050, 0x3631_3050, 0x3531_564E, 0x3032_564E, 0x3031_3259, 0x3033_5658,
    ]

    /// - Returns: nil for a plane that can be shown, where its memory is as large as it says.
    static func find(_ plane: ScreenPlane) -> Failure? {
        guard let layout = PlaneLayout(fourcc: plane.fourcc) else { return format(of: plane) }
        let bytesPerLine = plane.pieces.first?.bytesPerLine ?? 0
        guard Tiling(modifier: plane.modifier, layout, bytesPerLine: bytesPerLine) != nil else {
            return modifier(of: plane, layout)
        }
        return geometry(of: plane, layout)
    }

    /// The same in very few words; nil where nothing speaks against it, or there are none.
    static func brief(_ plane: ScreenPlane) -> String? {
        guard let layout = PlaneLayout(fourcc: plane.fourcc) else {
            return "format " + PlaneLayout.letters(of: plane.fourcc)
        }
        let tiling = Tiling(modifier: plane.modifier, layout, bytesPerLine: plane.pieces.first?.bytesPerLine ?? 0)
        return tiling == nil ? ModifierName.brief(plane.modifier) : nil
    }

    static func format(of plane: ScreenPlane) -> Failure {
        Failure(
            .noSource, name(of: plane),
            because: "its format \(PlaneLayout.letters(of: plane.fourcc)) is none of those that can be recorded",
            mend: films.contains(plane.fourcc)
                ? "Play a film of 8 bits, or let the player draw it into its window instead of giving it a plane: "
                    + "--vo=gpu for mpv."
                : "Let the program that draws it use XRGB8888.")
    }

    static func memory(of plane: ScreenPlane, _ piece: Int, _ byteCount: Int) -> Failure {
        Failure(
            .noSource, name(of: plane),
            because: "the shown part of its \(plane.width)x\(plane.height) pixels reaches past piece \(piece) of its "
                + "memory, \(byteCount) bytes")
    }

    private static func modifier(of plane: ScreenPlane, _ layout: PlaneLayout) -> Failure {
        Failure(
            .noSource, name(of: plane),
            because: "its memory is not linear (\(layout.name), modifier \(ModifierName.name(plane.modifier)))",
            mend: ModifierName.mend(plane.modifier))
    }

    private static func geometry(of plane: ScreenPlane, _ layout: PlaneLayout) -> Failure? {
        func refusal(_ cause: String) -> Failure { Failure(.noSource, name(of: plane), because: cause) }
        guard plane.width > 0, plane.height > 0, plane.width <= mostPixels, plane.height <= mostPixels else {
            return refusal("its framebuffer of \(plane.width)x\(plane.height) pixels is none")
        }
        guard plane.pieces.count >= layout.pieceCount else {
            return refusal(
                "\(layout.name) needs \(layout.pieceCount) pieces of memory, and it has \(plane.pieces.count)")
        }
        for index in 0..<layout.pieceCount {
            let piece = plane.pieces[index]
            if piece.offset < 0 || piece.bytesPerLine < 0 {
                return refusal("its memory begins at \(piece.offset) with \(piece.bytesPerLine) bytes a line")
            }
        }
        guard UInt64(plane.sourceX) + UInt64(plane.sourceWidth) <= UInt64(plane.width) << 16,
            UInt64(plane.sourceY) + UInt64(plane.sourceHeight) <= UInt64(plane.height) << 16
        else { return refusal("it shows a part that lies outside of its \(plane.width)x\(plane.height) pixels") }
        guard plane.x >= -mostTarget, plane.x <= mostTarget, plane.y >= -mostTarget, plane.y <= mostTarget,
            plane.targetWidth >= 0, plane.targetWidth <= mostTarget, plane.targetHeight >= 0,
            plane.targetHeight <= mostTarget
        else {
            return refusal(
                "\(plane.targetWidth)x\(plane.targetHeight) at \(plane.x),\(plane.y) is no place on a screen")
        }
        let turn = plane.rotation & Orientation.rotationMask
        guard turn.nonzeroBitCount == 1, plane.rotation & ~Orientation.allBits == 0 else {
            return refusal("its rotation \(plane.rotation) is none that the kernel knows")
        }
        return nil
    }

    private static func name(of plane: ScreenPlane) -> String {
        let kind =
            switch plane.kind {
            case .overlay: "overlay"
            case .primary: "primary"
            case .cursor: "cursor"
            }
        return "cannot show the \(kind) plane \(plane.id)"
    }
}
