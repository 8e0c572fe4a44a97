import CUdev
import Glibc
import Linux

/// A disk, or a part of one, as the kernel and udev know it.
public struct BlockDevice: Hashable, Sendable {
    /// How it is joined to the board.
    public enum Bus: Hashable, Sendable {
        case usb
        /// An SD card. The memory of the same kind that is soldered to the board (eMMC) is none.
        case card
        case other
    }

    /// "/dev/sda1".
    public var node: String
    /// Its folder below /sys.
    public var systemPath: String
    /// The kernel's number for it (`makedev(3)`).
    public var number: UInt64
    /// The number of the whole disk that it is on; its own for a whole disk.
    public var disk: UInt64
    /// Counts the disks that were plugged in since the board was turned on, so that no two stays of a disk have the same
    /// one (diskseq, from Linux 5.15 on); 0 where the kernel does not count.
    public var sequence: UInt64
    public var bus: Bus
    /// Its size.
    public var byteCount: Int64
    /// Whether a switch or the kernel forbids to write on it.
    public var isReadOnly: Bool
    /// Whether something else is made of it: it has partitions, or a mapping or an array uses it.
    public var isUsed: Bool
    /// The folder below /sys of the USB device that it is in.
    public var usbPath: String?
    /// What is on it; nil where there is no file system, or none that is known.
    public var content: FileSystemContent?

    public init(
        node: String, systemPath: String, number: UInt64, disk: UInt64, sequence: UInt64 = 0, bus: Bus,
        byteCount: Int64, isReadOnly: Bool = false, isUsed: Bool = false, usbPath: String? = nil,
        content: FileSystemContent? = nil
    ) {
        self.node = node
        self.systemPath = systemPath
        self.number = number
        self.disk = disk
        self.sequence = sequence
        self.bus = bus
        self.byteCount = byteCount
        self.isReadOnly = isReadOnly
        self.isUsed = isUsed
        self.usbPath = usbPath
        self.content = content
    }

    /// "sda1".
    public var name: String { node.split(separator: "/").last.map(String.init) ?? node }

    /// The `sequence` of the device that has a name now; nil when there is none.
    static func sequence(of name: String) -> UInt64? {
        let folder = "/sys/class/block/" + name
        guard access(folder, F_OK) == 0 else { return nil }
        // Of a part of a disk it stands with the disk.
        let line = SystemDirectory.line(folder + "/diskseq") ?? SystemDirectory.line(folder + "/../diskseq")
        return line.flatMap { UInt64($0) } ?? 0
    }

    /// Whether something else is made of the device with a folder below /sys.
    private static func isUsed(_ folder: String) -> Bool {
        if !SystemDirectory.entries(folder + "/holders").isEmpty { return true }
        return SystemDirectory.entries(folder).contains { access("\(folder)/\($0)/partition", F_OK) == 0 }
    }
}

/// What is known of a file system before it is mounted.
public struct FileSystemContent: Hashable, Sendable {
    /// The kernel's name for its kind: "vfat".
    public var type: String
    /// What tells it from all others, as udev writes it: "1A2B-3C4D".
    public var uuid: String
    /// The name that a person gave it; empty for none.
    public var label: String

    public init(type: String, uuid: String, label: String = "") {
        self.type = type
        self.uuid = uuid
        self.label = label
    }
}

extension BlockDevice {
    /// Reads what libudev knows of a device.
    /// - Parameter device: of the subsystem "block"; it stays the caller's.
    /// - Returns: nil for one without a node.
    init?(_ device: OpaquePointer) {
        guard let node = udev_device_get_devnode(device), let path = udev_device_get_syspath(device) else { return nil }
        func property(_ name: String) -> String? {
            udev_device_get_property_value(device, name).map { String(cString: $0) }
        }
        func attribute(_ name: String) -> Int64 {
            udev_device_get_sysattr_value(device, name).flatMap { Int64(String(cString: $0)) } ?? 0
        }
        self.node = String(cString: node)
        systemPath = String(cString: path)
        number = UInt64(udev_device_get_devnum(device))
        // Parents belong to the device and are not given back.
        let parent = udev_device_get_parent_with_subsystem_devtype(device, "block", "disk")
        disk = parent.map { UInt64(udev_device_get_devnum($0)) } ?? number
        let usb = udev_device_get_parent_with_subsystem_devtype(device, "usb", "usb_device")
        usbPath = usb.flatMap { udev_device_get_syspath($0) }.map { String(cString: $0) }
        let card = udev_device_get_parent_with_subsystem_devtype(device, "mmc", nil)
        let cardKind = card.flatMap { udev_device_get_sysattr_value($0, "type") }.map { String(cString: $0) }
        bus = usbPath != nil ? .usb : cardKind == "SD" ? .card : .other
        byteCount = attribute("size") * 512
        isReadOnly = attribute("ro") == 1
        isUsed = Self.isUsed(systemPath)
        sequence = Self.sequence(of: String(cString: udev_device_get_sysname(device))) ?? 0
        if let type = property("ID_FS_TYPE") {
            content = FileSystemContent(
                type: type, uuid: property("ID_FS_UUID") ?? "", label: property("ID_FS_LABEL") ?? "")
        } else if udev_device_get_is_initialized(device) == 0 {
            // Without udev's service nobody has looked at it yet.
            content = FileSystemProbe.content(of: self.node)
        }
    }
}
