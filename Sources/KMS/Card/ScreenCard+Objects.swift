import CDRM
import Glibc
import Linux

/// A place at a card where a display is plugged in.
struct ScreenConnector: Equatable {
    var id: UInt32
    /// As in /sys/class/drm, without the card: "HDMI-A-1".
    var name: String
    /// Whether a display is there; one of which the driver does not know counts as there.
    var isConnected: Bool
    /// What drives it, 0 for nothing.
    var encoder: UInt32

    /// The kernel's number for a place that is certainly empty (`connector_status_disconnected`).
    static let disconnected: UInt32 = 2

    /// The kernel's names of the kinds, by number (`drm_connector_enum_list` in drm_connector.c).
    static let kinds = [
        "Unknown", "VGA", "DVI-I", "DVI-D", "DVI-A", "Composite", "SVIDEO", "LVDS", "Component", "DIN", "DP", "HDMI-A",
        "HDMI-B", "TV", "eDP", "Virtual", "DSI", "DPI", "Writeback", "SPI", "USB",
    ]

    /// - Parameters:
    ///   - kind: DRM_MODE_CONNECTOR_….
    ///   - number: counted from 1 within the kind.
    static func name(kind: UInt32, number: UInt32) -> String {
        kind < kinds.count ? "\(kinds[Int(kind)])-\(number)" : "Unknown-\(number)"
    }
}

/// What a card consists of ("KMS Data Structures"): asked for when a screen is looked for, not for each picture.
extension ScreenCard {
    /// The driver's name: "vc4".
    func driver() throws(Errno) -> String {
        let room = 64
        return try withRoom(UInt8.self, room) { names throws(Errno) in
            var version = drm_version()
            version.name_len = UInt(room)
            version.name = UnsafeMutableRawPointer(names).assumingMemoryBound(to: CChar.self)
            try request(CDRM_VERSION, &version)
            let bytes = UnsafeBufferPointer(start: names, count: min(Int(version.name_len), room))
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    /// The numbers of connectors and CRTCs.
    func resources() throws(Errno) -> (connectors: [UInt32], crtcs: [UInt32]) {
        let room = 64
        return try withRoom(UInt32.self, 2 * room) { numbers throws(Errno) in
            var resources = drm_mode_card_res()
            resources.connector_id_ptr = UInt64(UInt(bitPattern: numbers))
            resources.count_connectors = UInt32(room)
            resources.crtc_id_ptr = UInt64(UInt(bitPattern: numbers + room))
            resources.count_crtcs = UInt32(room)
            try request(CDRM_MODE_GETRESOURCES, &resources)
            let connectors = UnsafeBufferPointer(start: numbers, count: min(Int(resources.count_connectors), room))
            let crtcs = UnsafeBufferPointer(start: numbers + room, count: min(Int(resources.count_crtcs), room))
            return (Array(connectors), Array(crtcs))
        }
    }

    /// What is known of a connector. The card does not ask the display for it: who has room for a mode is told what was
    /// found before (`drm_mode_getconnector`), on kernels before 5.14 by that alone.
    func connector(_ id: UInt32) throws(Errno) -> ScreenConnector {
        var connector = drm_mode_get_connector()
        connector.connector_id = id
        var mode = drm_mode_modeinfo()
        try withUnsafeMutablePointer(to: &mode) { mode throws(Errno) in
            connector.modes_ptr = UInt64(UInt(bitPattern: mode))
            connector.count_modes = 1
            try request(CDRM_MODE_GETCONNECTOR, &connector)
        }
        return ScreenConnector(
            id: id, name: ScreenConnector.name(kind: connector.connector_type, number: connector.connector_type_id),
            isConnected: connector.connection != ScreenConnector.disconnected, encoder: connector.encoder_id)
    }

    /// The connectors to which displays are plugged: those to memory are left out by the kernel.
    func connectors() throws(Errno) -> [ScreenConnector] {
        var found: [ScreenConnector] = []
        for id in try resources().connectors {
            // One that goes meanwhile is none.
            if let connector = try? connector(id) { found.append(connector) }
        }
        return found
    }

    /// The CRTC that an encoder is driven by, 0 for none.
    func crtc(ofEncoder id: UInt32) throws(Errno) -> UInt32 {
        guard id != 0 else { return 0 }
        var encoder = drm_mode_get_encoder()
        encoder.encoder_id = id
        try request(CDRM_MODE_GETENCODER, &encoder)
        return encoder.crtc_id
    }

    /// The numbers of all planes.
    func planes() throws(Errno) -> [UInt32] {
        let room = 256
        return try withRoom(UInt32.self, room) { numbers throws(Errno) in
            var resources = drm_mode_get_plane_res()
            resources.plane_id_ptr = UInt64(UInt(bitPattern: numbers))
            resources.count_planes = UInt32(room)
            try request(CDRM_MODE_GETPLANERESOURCES, &resources)
            return Array(UnsafeBufferPointer(start: numbers, count: min(Int(resources.count_planes), room)))
        }
    }

    /// Room for an answer, as long as the request takes.
    private func withRoom<Element: FixedWidthInteger, Result>(
        _ type: Element.Type, _ count: Int, _ body: (UnsafeMutablePointer<Element>) throws(Errno) -> Result
    ) throws(Errno) -> Result {
        let room = UnsafeMutablePointer<Element>.allocate(capacity: count)
        room.initialize(repeating: 0, count: count)
        defer { room.deallocate() }
        return try body(room)
    }
}
