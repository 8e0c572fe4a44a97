/// `[Media]`: which sticks, cards and disks are recorded to, and where on them.
struct MediaConfiguration: Sendable, Equatable {
    /// UUIDs and labels of file systems, the one that is taken first in front.
    var order: [String] = []
    /// The folder in which media are mounted, each under a name of its own.
    var mountFolder = "/media/kinebox"
    /// The folder on a medium that recordings go into; empty for its top.
    var folder = ""
    /// Bytes below which a medium counts as full.
    var leastRoom: Int64 = 256_000_000
}
