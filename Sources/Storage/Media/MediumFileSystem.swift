import Glibc

/// The file systems that recordings are made on, and how they are checked and mounted.
public enum MediumFileSystem: String, Sendable, CaseIterable {
    case vfat, exfat, ext4

    /// What the kernel is told of every medium: no programs, no devices, no time of the last look.
    static let flags = UInt(MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_NOATIME)

    /// The options for the kernel's driver. There is one text for each, since what one driver wants another refuses
    /// (`mount(8)`).
    /// - Parameters:
    ///   - owner: whose files they are, where the file system itself does not say.
    ///   - isReadOnly: whether nothing may be written, not even what its own journal says.
    func options(_ owner: MediumOwner, isReadOnly: Bool) -> String {
        switch self {
        case .vfat:
            "uid=\(owner.user),gid=\(owner.group),dmask=0022,fmask=0133,flush,utf8,shortname=mixed,errors=remount-ro"
        case .exfat: "uid=\(owner.user),gid=\(owner.group),dmask=0022,fmask=0133,iocharset=utf8,errors=remount-ro"
        case .ext4: isReadOnly ? "errors=remount-ro,noload" : "errors=remount-ro,data=ordered,commit=5"
        }
    }

    /// The program that checks it, with what makes it mend what can be mended without asking.
    func check(_ node: String) -> [String] {
        switch self {
        case .vfat: ["/usr/sbin/fsck.vfat", "-a", node]
        case .exfat: ["/usr/sbin/fsck.exfat", "-p", node]
        case .ext4: ["/usr/sbin/e2fsck", "-p", node]
        }
    }

    /// Whether a check ended with a file system that is whole: nothing was wrong, or all of it was mended (`fsck.fat(8)`,
    /// `fsck.exfat(8)`, `e2fsck(8)`).
    func isWhole(afterCheck exitCode: Int32) -> Bool {
        switch self {
        case .vfat, .exfat: exitCode == 0 || exitCode == 1
        case .ext4: exitCode & ~3 == 0
        }
    }

    /// Why a kind of file system is not used.
    static func refusal(of type: String) -> (cause: String, mend: String) {
        let cause: String
        switch type {
        case "ntfs", "ntfs3", "fuseblk":
            cause = "its file system is NTFS, whose drivers do not keep a recording safe at a power cut"
        case let type where type.hasPrefix("fuse"):
            cause = "its file system is \(type), and a driver outside the kernel does not keep a recording safe"
        case "hfsplus", "apfs": cause = "its file system is \(type), on which nothing can be written here"
        default: cause = "its file system is \(type)"
        }
        return (cause, "Format it with exFAT, or with ext4.")
    }
}

/// Whose files a medium's are.
public struct MediumOwner: Hashable, Sendable {
    public var user: uid_t
    public var group: gid_t

    public init(user: uid_t, group: gid_t) {
        self.user = user
        self.group = group
    }

    /// The user of this name, whom the files are to belong to; nil when there is none.
    public init?(named name: String) {
        guard let entry = getpwnam(name) else { return nil }
        self.init(user: entry.pointee.pw_uid, group: entry.pointee.pw_gid)
    }

    /// Who runs this program.
    public static var current: MediumOwner { MediumOwner(user: geteuid(), group: getegid()) }
}
