import Control
import Glibc

/// `[Control]`: the socket, and who may use it.
struct ControlConfiguration: Sendable, Equatable {
    /// Where the socket is made, if systemd hands none on.
    var path = RecorderServer.usualPath
    /// The permissions of the socket's file.
    var mode: mode_t = 0o660
    /// The group of the socket's file.
    var socketGroup = "kinebox"
    /// Names of groups whose members may record, and look.
    var recordGroups = ["kinebox"]
    /// Names of groups whose members may look; empty for whoever may connect.
    var lookGroups: [String] = []

    /// Who may do what. Groups that the file names are known to be there; of those that are usual, what is there counts.
    /// - Parameter owner: the user that the daemon runs as.
    func access(owner: uid_t = geteuid()) -> Access {
        let lookers = groups(lookGroups)
        return Access(
            owner: owner, recorders: groups(recordGroups), lookers: lookGroups.isEmpty ? .everyone : .members(lookers))
    }

    /// The group of the socket's file; nil where there is no such group, for the daemon's own.
    var group: Group? { groups([socketGroup]).first }

    private func groups(_ names: [String]) -> [Group] {
        names.compactMap { name in
            do {
                return try Group(named: name)
            } catch {
                return nil
            }
        }
    }
}
