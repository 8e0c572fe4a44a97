import Glibc

/// The process on the other side of a Unix socket, as it was when it connected.
public struct SocketPeer: Hashable, Sendable {
    /// Its number; 0 when it is in a process namespace that this one does not see.
    public var process: pid_t
    /// Its effective user.
    public var user: uid_t
    /// Its effective group.
    public var group: gid_t
    /// Its supplementary groups.
    public var groups: [gid_t]

    public init(process: pid_t, user: uid_t, group: gid_t, groups: [gid_t]) {
        self.process = process
        self.user = user
        self.group = group
        self.groups = groups
    }

    /// Whether it has a group, as its own or as a supplementary one.
    public func isMember(of wanted: gid_t) -> Bool {
        group == wanted || groups.contains(wanted)
    }
}
