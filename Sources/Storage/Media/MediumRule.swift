import Media

/// Which disks are media for recordings. A value: it is asked with what is known of the machine, so that it can be tried
/// without one.
public struct MediumRule: Hashable, Sendable {
    /// What a device is to us.
    public enum Verdict: Hashable, Sendable {
        /// Recordings can be made on it.
        case usable(MediumFileSystem)
        /// A person plugged it in, and it cannot be used: why, and what helps.
        case refused(cause: String, mend: String)
        /// It is none of ours. Why, for those who wonder.
        case ignored(String)
    }

    /// The folder that all media are mounted in.
    public var folder: String
    /// File systems that are used wherever they are, by their UUID, but never the system's own.
    public var named: Set<String>

    public init(folder: String = "/media/kinebox", named: Set<String> = []) {
        self.folder = folder
        self.named = named
    }

    /// What stands for other things than files.
    private static let otherContent = ["swap", "crypto_LUKS", "LVM2_member", "linux_raid_member", "DM_integrity"]

    /// Judges a device.
    /// - Parameters:
    ///   - device: the device.
    ///   - mounts: what is mounted.
    ///   - system: what the machine needs for itself.
    public func verdict(on device: BlockDevice, _ mounts: MountTable, _ system: SystemDisks) -> Verdict {
        guard let content = device.content else { return .ignored("there is no file system on it") }
        let foreign = mounts.folders(of: device.number).filter { !$0.hasPrefix(folder + "/") }
        if let foreign = foreign.first { return .ignored("it is mounted on \(foreign)") }
        if device.isUsed { return .ignored("it has partitions, or is a part of something else") }
        let names = [device.node, "UUID=" + content.uuid, "LABEL=" + content.label]
        if names.contains(where: system.reserved.contains) {
            return .ignored("/etc/fstab or the swap space has it for something else")
        }
        if content.uuid.isEmpty || !named.contains(content.uuid) {
            if system.disks.contains(device.disk) { return .ignored("the system is on the same disk") }
            guard device.bus != .other else { return .ignored("it is no USB disk and no SD card") }
        }
        if let kind = MediumFileSystem(rawValue: content.type) { return .usable(kind) }
        if Self.otherContent.contains(content.type) { return .ignored("it holds \(content.type)") }
        let (cause, mend) = MediumFileSystem.refusal(of: content.type)
        return .refused(cause: cause, mend: mend)
    }
}
