import Glibc
import Linux
import Media
import V4L2

/// What a video device is known by when it comes back, maybe under another number: where it is attached, what its maker
/// calls it, and which of its nodes it is.
struct DeviceIdentity: Hashable {
    private let bus: String
    private let card: String
    private let node: String

    init(_ device: V4L2Device) {
        (bus, card) = (device.bus, device.card)
        node = Self.node(device.path)
    }

    /// The path that the device has now; nil when it is not there.
    func find() -> String? {
        DeviceList.videoPaths().first { path in
            guard V4L2Disposal.pending(at: path) == 0, let device = try? V4L2Device(opening: path),
                device.captureType != nil
            else { return false }
            return DeviceIdentity(device) == self
        }
    }

    /// The number of a node among its device's.
    private static func node(_ path: String) -> String {
        SystemDirectory.line("\(SystemDirectory.device(path))/index") ?? "0"
    }
}
