import CDRM
import Linux

/// What a property of a card is called, and what its values are called ("KMS Properties").
struct PropertyName {
    var name: String
    /// The names of the values, where it is an enumeration.
    var values: [(value: UInt64, name: String)]

    /// Asks a card (DRM_IOCTL_MODE_GETPROPERTY).
    init(_ id: UInt32, of card: borrowing ScreenCard) throws(Errno) {
        let room = 32
        let choices = UnsafeMutablePointer<drm_mode_property_enum>.allocate(capacity: room)
        choices.initialize(repeating: drm_mode_property_enum(), count: room)
        defer { choices.deallocate() }
        var property = drm_mode_get_property()
        property.prop_id = id
        property.enum_blob_ptr = UInt64(UInt(bitPattern: choices))
        property.count_enum_blobs = UInt32(room)
        try card.request(CDRM_MODE_GETPROPERTY, &property)
        name = Self.text(property.name)
        values = []
        guard property.flags & UInt32(DRM_MODE_PROP_ENUM | DRM_MODE_PROP_BITMASK) != 0 else { return }
        for index in 0..<min(Int(property.count_enum_blobs), room) {
            values.append((choices[index].value, Self.text(choices[index].name)))
        }
    }

    private static func text<Characters>(_ characters: Characters) -> String {
        withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
