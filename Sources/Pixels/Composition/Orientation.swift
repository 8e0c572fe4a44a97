/// How a place in a target is found in its source: which of the source's axes runs along the target's lines, and which of
/// them run backwards. All that rotations by quarters and reflections can make, together, is one of eight.
struct Orientation: Hashable {
    // include/uapi/drm/drm_mode.h.
    static let rotate0: UInt32 = 1
    static let rotate90: UInt32 = 2
    static let rotate180: UInt32 = 4
    static let rotate270: UInt32 = 8
    static let reflectX: UInt32 = 16
    static let reflectY: UInt32 = 32
    static let rotationMask: UInt32 = 15
    static let allBits: UInt32 = 63

    /// Whether a line of the target is a column of the source.
    var isTurned = false
    /// Whether the source's columns run backwards: from its right edge, along the target's lines (down, where turned).
    var isColumnReversed = false
    /// Whether the source's lines run backwards.
    var isLineReversed = false

    /// What KMS means by a rotation ("Plane Composition Properties"; drm_rect_rotate): reflected first, then turned
    /// counter-clockwise. A point of the source at (u, v), from 0 to 1, comes to (v, 1 - u) by 90 degrees.
    /// - Parameter rotation: exactly one of DRM_MODE_ROTATE_…, and any of DRM_MODE_REFLECT_….
    init(_ rotation: UInt32) {
        switch rotation & Self.rotationMask {
        case Self.rotate90: (isTurned, isColumnReversed) = (true, true)
        case Self.rotate180: (isColumnReversed, isLineReversed) = (true, true)
        case Self.rotate270: (isTurned, isLineReversed) = (true, true)
        default: break
        }
        if rotation & Self.reflectX != 0 { isColumnReversed.toggle() }
        if rotation & Self.reflectY != 0 { isLineReversed.toggle() }
    }

    /// This orientation as it is within a picture that is turned as a whole.
    func within(_ turn: Turn) -> Orientation {
        let outer = Orientation(turn.rotation)
        var result = self
        result.isTurned = isTurned != outer.isTurned
        // The outer one says what its target's axes are on the screen; ours says what the screen's are in the source.
        let (acrossReversed, downReversed) = (outer.isColumnReversed, outer.isLineReversed)
        if isTurned ? downReversed : acrossReversed { result.isColumnReversed.toggle() }
        if isTurned ? acrossReversed : downReversed { result.isLineReversed.toggle() }
        return result
    }
}
