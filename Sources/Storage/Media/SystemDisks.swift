import Glibc
import Linux

/// What the machine needs for itself, and no recording may touch.
public struct SystemDisks: Hashable, Sendable {
    /// The disks with the root file system, the boot loader and the like.
    public var disks: Set<UInt64>
    /// Nodes, UUIDs and labels, as fstab writes them, that fstab or swap name.
    public var reserved: Set<String>

    public init(disks: Set<UInt64> = [], reserved: Set<String> = []) {
        self.disks = disks
        self.reserved = reserved
    }

    /// What is mounted here, or below, the system is made of.
    private static let folders = ["/boot", "/efi", "/usr", "/var", "/home", "/etc", "/opt", "/srv", "/root"]

    /// Asks the kernel and fstab.
    /// - Parameters:
    ///   - mounts: what is mounted.
    ///   - folder: of our own media, which fstab may name.
    public static func found(_ mounts: MountTable, butNot folder: String) -> SystemDisks {
        var result = SystemDisks()
        for entry in mounts.entries where isSystem(entry.folder) && !entry.folder.hasPrefix(folder + "/") {
            result.disks.formUnion(DeviceNumber.disks(of: entry.device))
            // Some file systems have a number of their own (btrfs), or stand on others (overlayfs).
            if let number = node(entry.source) { result.disks.formUnion(DeviceNumber.disks(of: number)) }
        }
        let table = SystemDirectory.text("/etc/fstab") ?? ""
        for line in table.split(separator: "\n") {
            let fields = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
            guard fields.count >= 2, !fields[0].hasPrefix("#"), !fields[1].hasPrefix(folder + "/") else { continue }
            result.reserve(String(fields[0]).filter { $0 != "\"" })
        }
        for line in (SystemDirectory.text("/proc/swaps") ?? "").split(separator: "\n").dropFirst() {
            guard let node = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).first.map(String.init) else {
                continue
            }
            result.reserve(node)
            if let number = Self.node(node) { result.disks.formUnion(DeviceNumber.disks(of: number)) }
        }
        return result
    }

    private static func isSystem(_ folder: String) -> Bool {
        folder == "/" || folders.contains { folder == $0 || folder.hasPrefix($0 + "/") }
    }

    /// Takes in what stands in fstab for a device, and the node that it leads to.
    private mutating func reserve(_ name: String) {
        reserved.insert(name)
        let folders = [
            "UUID": "by-uuid", "LABEL": "by-label", "PARTUUID": "by-partuuid", "PARTLABEL": "by-partlabel",
            "ID": "by-id",
        ]
        var path = name
        if let sign = name.firstIndex(of: "="), let folder = folders[String(name[..<sign])] {
            path = "/dev/disk/\(folder)/\(name[name.index(after: sign)...])"
        }
        guard path.hasPrefix("/dev/"), let real = realpath(path, nil) else { return }
        reserved.insert(String(cString: real))
        free(real)
    }

    /// The number of a device by its node.
    private static func node(_ path: String) -> UInt64? {
        guard path.hasPrefix("/dev/"), let status = fileStatus(path), status.st_mode & S_IFMT == S_IFBLK else {
            return nil
        }
        return UInt64(status.st_rdev)
    }
}
