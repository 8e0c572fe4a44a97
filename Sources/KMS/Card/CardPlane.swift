import CDRM
import Linux

/// A plane of a card, and where among its properties those are that tell what it shows. Looked up once.
struct CardPlane {
    let id: UInt32
    let kind: ScreenPlane.Kind
    /// One bit for each CRTC that may show it, by the CRTC's place among the card's resources.
    let possibleCRTCs: UInt32

    private var sourceX, sourceY, sourceWidth, sourceHeight: Int?
    private var x, y, targetWidth, targetHeight: Int?
    private var rotation, alpha, blend, encoding, range: Int?
    private(set) var zpos: Int?
    private var blends: [UInt64: ScreenPlane.Blend] = [:]
    private var matrices: [UInt64: UInt8] = [:]
    private var fullRange: UInt64?

    /// Asks the card for the plane's properties and their names.
    init(
        _ id: UInt32, of card: borrowing ScreenCard, _ values: inout PropertyValues, _ names: inout PropertyNames
    ) throws(Errno) {
        var plane = drm_mode_get_plane()
        plane.plane_id = id
        try card.request(CDRM_MODE_GETPLANE, &plane)
        try values.read(card, object: id, kind: UInt32(DRM_MODE_OBJECT_PLANE))
        self.id = id
        possibleCRTCs = plane.possible_crtcs
        var kind = ScreenPlane.Kind.overlay
        for place in 0..<values.count {
            let property = try names.name(values.id(place), of: card)
            switch property.name {
            case "type": kind = ScreenPlane.Kind(rawValue: UInt8(clamping: values.value(place, or: 0))) ?? .overlay
            case "SRC_X": sourceX = place
            case "SRC_Y": sourceY = place
            case "SRC_W": sourceWidth = place
            case "SRC_H": sourceHeight = place
            case "CRTC_X": x = place
            case "CRTC_Y": y = place
            case "CRTC_W": targetWidth = place
            case "CRTC_H": targetHeight = place
            case "rotation": rotation = place
            case "alpha": alpha = place
            case "zpos": zpos = place
            case "pixel blend mode":
                blend = place
                for (value, name) in property.values { blends[value] = Self.blend(name) }
            case "COLOR_ENCODING":
                encoding = place
                for (value, name) in property.values { matrices[value] = Self.matrix(name) }
            case "COLOR_RANGE":
                range = place
                fullRange = property.values.first { $0.name == "YCbCr full range" }?.value
            default: break
            }
        }
        self.kind = kind
    }

    /// Whether the card tells where the plane lies: drivers that are not atomic do not.
    var isPlaced: Bool { targetWidth != nil }

    /// Puts down what properties say of how the plane is shown.
    /// - Parameter values: have just been read of this plane.
    func describe(_ plane: inout ScreenPlane, _ values: borrowing PropertyValues) {
        plane.sourceX = UInt32(truncatingIfNeeded: values.value(sourceX, or: 0))
        plane.sourceY = UInt32(truncatingIfNeeded: values.value(sourceY, or: 0))
        plane.sourceWidth = UInt32(truncatingIfNeeded: values.value(sourceWidth, or: 0))
        plane.sourceHeight = UInt32(truncatingIfNeeded: values.value(sourceHeight, or: 0))
        plane.x = Int(Int32(truncatingIfNeeded: values.value(x, or: 0)))
        plane.y = Int(Int32(truncatingIfNeeded: values.value(y, or: 0)))
        plane.targetWidth = Int(UInt32(truncatingIfNeeded: values.value(targetWidth, or: 0)))
        plane.targetHeight = Int(UInt32(truncatingIfNeeded: values.value(targetHeight, or: 0)))
        plane.rotation = UInt32(truncatingIfNeeded: values.value(rotation, or: UInt64(DRM_MODE_ROTATE_0)))
        plane.alpha = UInt16(clamping: values.value(alpha, or: 0xFFFF))
        plane.blend = blends[values.value(blend, or: .max)] ?? .premultiplied
        plane.matrix = matrices[values.value(encoding, or: .max)] ?? 6
        plane.isFullRange = range != nil && values.value(range, or: 0) == fullRange
    }

    /// Names as in drm_blend.c.
    private static func blend(_ name: String) -> ScreenPlane.Blend? {
        switch name {
        case "None": ScreenPlane.Blend.none
        case "Pre-multiplied": .premultiplied
        case "Coverage": .coverage
        default: nil
        }
    }

    /// Names as in drm_color_mgmt.c, numbers of H.273.
    private static func matrix(_ name: String) -> UInt8? {
        switch name {
        case "ITU-R BT.601 YCbCr": 6
        case "ITU-R BT.709 YCbCr": 1
        case "ITU-R BT.2020 YCbCr": 9
        default: nil
        }
    }
}
