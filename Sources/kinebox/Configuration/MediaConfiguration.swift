/// `[Media]`: which sticks, cards and disks are recorded to, and where on them.
struct MediaConfiguration: Sendable, Equatable {
    /// UUIDs and labels of file systems, the one that is taken first in front.
    var order: [String] = []
    /// UUIDs of file systems on the machine's own disks that are recorded to as well.
    var disks: [String] = []
    /// The folder on a medium that recordings go into; empty for its top.
    var folder = ""
    /// Bytes below which a medium counts as full.
    var leastRoom: Int64 = 256_000_000
}
