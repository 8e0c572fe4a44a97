import Glibc
import Media

/// A group of users.
public struct Group: Sendable, Hashable {
    public var name: String
    public var number: gid_t

    public init(name: String, number: gid_t) {
        self.name = name
        self.number = number
    }

    /// Looks a group up (`getgrnam_r(3)`).
    /// - Throws: `Failure` of kind invalidValue when there is no such group.
    public init(named name: String) throws(Failure) {
        var entry = group()
        var found: UnsafeMutablePointer<group>?
        // Names of members stand in the buffer as well: a group with more of them than fit is no group for a recorder.
        var buffer = [CChar](repeating: 0, count: 64 << 10)
        guard getgrnam_r(name, &entry, &buffer, buffer.count, &found) == 0, found != nil else {
            throw Failure(
                .invalidValue, "cannot use the group \(name)", because: "there is no such group",
                mend: "Make it with \"groupadd --system \(name)\", or name another one.")
        }
        self.init(name: name, number: entry.gr_gid)
    }
}
