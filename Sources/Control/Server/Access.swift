import Glibc
import Linux
import Media

/// Who may look at the recorder and who may use it, beyond the permissions of the socket itself.
public struct Access: Sendable, Equatable {
    /// What a caller may do.
    public struct Rights: OptionSet, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }
        /// Ask and follow.
        public static let look = Rights(rawValue: 1)
        /// Everything that changes something.
        public static let record = Rights(rawValue: 2)
    }

    /// Who may look.
    public enum Lookers: Sendable, Equatable {
        /// Whoever may connect.
        case everyone
        /// Members of these groups, and whoever may record.
        case members([Group])
    }

    /// A user who may do everything, as root may.
    public var owner: uid_t
    /// Groups whose members may record, and look.
    public var recorders: [Group]
    public var lookers: Lookers

    /// - Parameters:
    ///   - owner: the user that the daemon runs as.
    ///   - recorders: groups whose members may record.
    ///   - lookers: who may look.
    public init(owner: uid_t = geteuid(), recorders: [Group] = [], lookers: Lookers = .everyone) {
        self.owner = owner
        self.recorders = recorders
        self.lookers = lookers
    }

    /// What a caller may do.
    public func rights(of peer: SocketPeer) -> Rights {
        if peer.user == 0 || peer.user == owner || recorders.contains(where: { peer.isMember(of: $0.number) }) {
            return [.look, .record]
        }
        switch lookers {
        case .everyone: return .look
        case .members(let groups): return groups.contains { peer.isMember(of: $0.number) } ? .look : []
        }
    }

    /// Tells a caller that it may not, and who may.
    func refusal(of peer: SocketPeer, needing rights: Rights) -> Refusal {
        var groups = recorders
        if rights == .look, case .members(let lookers) = lookers { groups += lookers }
        let names = groups.map(\.name)
        let thing = rights == .look ? "cannot look at the recorder" : "cannot use the recorder"
        var refusal = Refusal(
            Failure(
                .notAuthorised, thing, because: "the user with number \(peer.user) may not",
                mend: names.isEmpty
                    ? "Ask as the user who runs the recorder."
                    : "Join the group \(names.joined(separator: " or ")), and log in again."))
        refusal.user = Int(peer.user)
        refusal.groups = names
        return refusal
    }
}
