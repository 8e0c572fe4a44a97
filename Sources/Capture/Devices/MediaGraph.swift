import CKernel
import Glibc
import Linux

/// The media controller's view of a device: which sub-devices stand behind a video node ("Media Controller" in the kernel's
/// documentation).
enum MediaGraph {
    private static let mostEntities = 256

    /// The sub-devices that belong to the same media device as a video node, as paths; empty where there is none.
    /// - Parameter path: the video node, or a link to it.
    static func subdevices(behind path: String) -> [String] {
        nodes(behind: path).filter { $0.hasPrefix("/dev/v4l-subdev") }
    }

    /// The device nodes of all entities of a node's media device, as paths.
    static func nodes(behind path: String) -> [String] {
        let folder = "\(SystemDirectory.device(path))/device"
        let names = SystemDirectory.entries(folder).filter { $0.hasPrefix("media") && Int($0.dropFirst(5)) != nil }
        return names.sorted().flatMap { entities(of: "/dev/\($0)") }
    }

    private static func entities(of path: String) -> [String] {
        guard let media = try? FileDescriptor.open(path, O_RDWR) else { return [] }
        var paths: [String] = []
        var entity = media_entity_desc()
        for _ in 0..<mostEntities {
            entity.id |= UInt32(MEDIA_ENT_ID_FLAG_NEXT)
            guard ckernel_ioctl(media.raw, CKERNEL_MEDIA_IOC_ENUM_ENTITIES, &entity) == 0 else { break }
            let number = "\(entity.dev.major):\(entity.dev.minor)"
            guard entity.dev.major != 0, let name = deviceName("/sys/dev/char/\(number)/uevent") else { continue }
            paths.append("/dev/\(name)")
        }
        return paths
    }

    private static func deviceName(_ path: String) -> Substring? {
        SystemDirectory.text(path)?.split(separator: "\n").first { $0.hasPrefix("DEVNAME=") }?.dropFirst(8)
    }
}
