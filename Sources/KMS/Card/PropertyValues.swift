import CDRM
import Linux

/// The properties of one object of a card, read again and again into the same memory.
struct PropertyValues: ~Copyable {
    /// Planes and CRTCs of today have about thirty.
    private static let room = 128
    private let ids = UnsafeMutablePointer<UInt32>.allocate(capacity: room)
    private let values = UnsafeMutablePointer<UInt64>.allocate(capacity: room)
    /// How many were read.
    private(set) var count = 0

    init() {
        ids.initialize(repeating: 0, count: Self.room)
        values.initialize(repeating: 0, count: Self.room)
    }

    deinit {
        ids.deallocate()
        values.deallocate()
    }

    /// Reads all properties of an object (DRM_IOCTL_MODE_OBJ_GETPROPERTIES). Their order never changes.
    /// - Parameter kind: DRM_MODE_OBJECT_….
    mutating func read(_ card: borrowing ScreenCard, object: UInt32, kind: UInt32) throws(Errno) {
        var request = drm_mode_obj_get_properties()
        request.props_ptr = UInt64(UInt(bitPattern: ids))
        request.prop_values_ptr = UInt64(UInt(bitPattern: values))
        request.count_props = UInt32(Self.room)
        request.obj_id = object
        request.obj_type = kind
        count = 0
        try card.request(CDRM_MODE_OBJ_GETPROPERTIES, &request)
        count = min(Int(request.count_props), Self.room)
    }

    /// The number of the property at a place.
    func id(_ place: Int) -> UInt32 { ids[place] }

    /// The value at a place, or the other one where there is no such place.
    func value(_ place: Int?, or other: UInt64) -> UInt64 {
        guard let place, place < count else { return other }
        return values[place]
    }
}
