import Glibc

/// A user of this system.
public struct SystemUser: Hashable, Sendable {
    /// The user's number.
    public var number: uid_t
    /// The number of the user's own group.
    public var group: gid_t

    /// Looks a user up (`getpwnam_r(3)`).
    /// - Returns: nil when there is no such user.
    public init?(named name: String) {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16 << 10)
        guard getpwnam_r(name, &entry, &buffer, buffer.count, &found) == 0, found != nil else { return nil }
        (number, group) = (entry.pw_uid, entry.pw_gid)
    }
}
