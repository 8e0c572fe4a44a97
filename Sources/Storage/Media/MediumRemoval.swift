import CKernel
import Glibc
import Linux
import Media

/// Takes a medium off, so that it can be pulled. It needs the rights of root and waits for the medium.
public struct MediumRemoval {
    private let device: BlockDevice
    private let rule: MediumRule
    private let runtime: MediaRuntime

    public init(_ device: BlockDevice, _ rule: MediumRule, runtime: MediaRuntime) {
        self.device = device
        self.rule = rule
        self.runtime = runtime
    }

    /// Brings everything onto the medium, unmounts it and takes its power, where it is a USB device without another part
    /// in use. The device's record tells how it ended.
    /// - Throws: `Failure` of kind busy when somebody has a file on it open, noMedium when it is not mounted,
    ///   mediumFailed when what it holds could not be brought onto it. It is still mounted then.
    public func eject() throws(Failure) {
        runtime.takeBack(device.name)
        let mounts = MountTable.now()
        guard var record = runtime.record(of: device.name), record.sequence == device.sequence,
            mounts.entry(at: record.folder)?.device == device.number
        else {
            throw Failure(.noMedium, "cannot eject \(device.node)", because: "it is not mounted")
        }
        let (before, folder) = (record, record.folder)
        record.state = .ejecting
        try? runtime.write(record)
        do throws(Failure) {
            try synchronise(folder)
            try unmount(folder)
        } catch {
            record = before
            (record.cause, record.mend) = (error.cause, error.mend)
            try? runtime.write(record)
            throw error
        }
        rmdir(folder)
        record.state = .ejected
        record.folder = ""
        record.cause = ""
        try? runtime.write(record)
        takePower(mounts)
    }

    /// Lets go of what was mounted from a device that is gone or goes. What was not on it is lost; open files of others
    /// give errors.
    /// - Parameter name: of the device: "sda1".
    public static func forget(_ name: String, _ rule: MediumRule, _ runtime: MediaRuntime) {
        for entry in MountTable.now().entries
        where entry.source == "/dev/" + name && entry.folder.hasPrefix(rule.folder + "/") {
            leave(entry.folder)
        }
        // That it was ejected is still to be read by who asked for it; the next medium sweeps it away.
        if runtime.record(of: name)?.state != .ejected { runtime.remove(name) }
        runtime.takeBack(name)
    }

    /// Lets go of everything that was mounted from devices that are gone, and of their records.
    /// - Parameter device: one whose record, from an earlier stay, is about to be replaced.
    /// - Returns: what is mounted then.
    static func leaveWhatIsGone(
        _ rule: MediumRule, _ runtime: MediaRuntime, butNot device: BlockDevice
    ) -> MountTable {
        for record in runtime.records()
        where record.device != device.name && BlockDevice.sequence(of: record.device) != record.sequence {
            runtime.remove(record.device)
        }
        for entry in MountTable.now().entries where entry.folder.hasPrefix(rule.folder + "/") {
            let isOfBefore = entry.device == device.number
            if isOfBefore || !DeviceNumber.isThere(entry.device) { leave(entry.folder) }
        }
        return .now()
    }

    /// Takes whatever is mounted in a folder away, and the folder.
    static func leave(_ folder: String) {
        umount2(folder, Int32(MNT_DETACH))
        rmdir(folder)
    }

    private func synchronise(_ folder: String) throws(Failure) {
        do throws(Errno) {
            let top = try FileDescriptor.open(folder, O_RDONLY | O_DIRECTORY)
            if ckernel_synchronise_volume(top.raw) != 0 { throw Errno.last }
        } catch {
            throw Failure(
                .mediumFailed, "cannot eject \(device.node)", because: "not all could be written to it: \(error)")
        }
    }

    private func unmount(_ folder: String) throws(Failure) {
        if umount2(folder, 0) == 0 { return }
        let reason = Errno.last
        throw Failure(
            reason.code == EBUSY ? .busy : .mediumFailed, "cannot eject \(device.node)",
            because: reason.code == EBUSY ? "a program has a file on it open" : "\(reason)",
            mend: reason.code == EBUSY ? "Close that program, and try again." : "")
    }

    private func takePower(_ mounts: MountTable) {
        guard let usb = device.usbPath else { return }
        // Another part of the disk, or the card in another slot of the same reader.
        let isUsed = mounts.entries.contains { entry in
            guard entry.device != device.number else { return false }
            return DeviceNumber.disk(of: entry.device) == device.disk
                || DeviceNumber.systemPath(of: entry.device)?.hasPrefix(usb + "/") == true
        }
        guard !isUsed, let file = try? FileDescriptor.open(usb + "/remove", O_WRONLY) else { return }
        // A device that does not let itself be turned off may be pulled all the same.
        try? file.write(text: "1\n")
    }
}
