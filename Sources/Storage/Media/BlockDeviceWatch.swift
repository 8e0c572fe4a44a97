import CUdev
import Glibc
import Linux
import Media

/// Tells which disks come, change and go (libudev), for an event loop. Used by one thread.
public final class BlockDeviceWatch {
    private let udev: OpaquePointer
    private let monitor: OpaquePointer

    /// Begins to listen: what comes from now on is told by `next`, what is there by `list`.
    /// - Throws: `Failure` of kind internalFault when the kernel gives no socket.
    public init() throws(Failure) {
        guard let udev = udev_new() else { throw Self.failure("there is no memory for it") }
        // Where udev's service runs, it tells of a device once it has looked at it; else the kernel itself does.
        let group = access("/run/udev/control", F_OK) == 0 ? "udev" : "kernel"
        guard let monitor = udev_monitor_new_from_netlink(udev, group),
            udev_monitor_filter_add_match_subsystem_devtype(monitor, "block", nil) >= 0,
            udev_monitor_enable_receiving(monitor) >= 0
        else {
            let reason = Errno.last
            udev_unref(udev)
            throw Self.failure("\(reason)")
        }
        self.udev = udev
        self.monitor = monitor
    }

    deinit {
        udev_monitor_unref(monitor)
        udev_unref(udev)
    }

    private static func failure(_ cause: String) -> Failure {
        Failure(.internalFault, "cannot watch for disks", because: cause)
    }

    /// Readable when something has come, changed or gone.
    public var descriptor: Int32 { udev_monitor_get_fd(monitor) }

    /// What has happened to a device.
    public enum Change: Hashable, Sendable {
        /// It is there, or is another than before.
        case present(BlockDevice)
        /// It is gone; its node's path.
        case gone(String)
    }

    /// The next change; nil when nothing has happened since the last one.
    public func next() -> Change? {
        while let device = udev_monitor_receive_device(monitor) {
            defer { udev_device_unref(device) }
            guard let action = udev_device_get_action(device), let node = udev_device_get_devnode(device) else {
                continue
            }
            if String(cString: action) == "remove" { return .gone(String(cString: node)) }
            if let found = BlockDevice(device) { return .present(found) }
        }
        return nil
    }

    /// Takes all changes without looking at them, and so without reading from a disk: for whoever only wants to know that
    /// it is time to look.
    public func skip() {
        while let device = udev_monitor_receive_device(monitor) { udev_device_unref(device) }
    }

    /// All disks and parts of disks that are there, in the order of their paths.
    public func list() -> [BlockDevice] {
        guard let search = udev_enumerate_new(udev) else { return [] }
        defer { udev_enumerate_unref(search) }
        udev_enumerate_add_match_subsystem(search, "block")
        udev_enumerate_scan_devices(search)
        var devices: [BlockDevice] = []
        var entry = udev_enumerate_get_list_entry(search)
        while let found = entry {
            if let path = udev_list_entry_get_name(found), let device = udev_device_new_from_syspath(udev, path) {
                if let device = BlockDevice(device) { devices.append(device) }
                udev_device_unref(device)
            }
            entry = udev_list_entry_get_next(found)
        }
        return devices
    }
}
