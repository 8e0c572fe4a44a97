import Glibc
import Linux

/// The folders by which those who prepare media, who have the rights of root, and the daemon, which has none, tell one
/// another what they do and want. They live in memory and belong to root; in the one with wishes the daemon may write.
public struct MediaRuntime: Hashable, Sendable {
    /// The folder with a record for each medium.
    public let folder: String
    /// The folder with a file for each medium that is to be ejected.
    public let wishes: String

    /// - Parameter parent: the folder that both are in; it is there where anybody but root is to use them.
    public init(in parent: String = "/run/kinebox") {
        folder = parent + "/media"
        wishes = parent + "/eject"
    }

    /// Makes the folders, where they are missing.
    /// - Parameter owner: who may say what is to be ejected.
    /// - Throws: `Errno`.
    func make(for owner: MediumOwner) throws(Errno) {
        if let end = folder.lastIndex(of: "/") { mkdir(String(folder[..<end]), 0o755) }
        if mkdir(folder, 0o755) != 0 && errno != EEXIST { throw Errno.last }
        guard mkdir(wishes, 0o750) == 0 else { return }
        if chown(wishes, owner.user, owner.group) != 0 { throw Errno.last }
    }

    /// Calls a function while nobody else does so in any process. What it does must not wait for a medium.
    /// - Throws: `Errno`, EBUSY when another one does not come to its end; what the function throws.
    func exclusively<Result>(_ body: () throws(Errno) -> Result) throws(Errno) -> Result {
        let lock = try FileDescriptor.open(folder + "/.lock", O_RDWR | O_CREAT, mode: 0o600)
        var tries = 0
        while try !lock.lockExclusively() {
            tries += 1
            if tries > 1000 { throw Errno(EBUSY) }
            usleep(10_000)
        }
        return try body()
    }

    // MARK: - What is told of media

    /// Writes a record; readers see the old one or the new one.
    /// - Throws: `Errno`.
    func write(_ record: MediumRecord) throws(Errno) {
        var record = record
        record.time = .now
        let (path, new) = (folder + "/" + record.device, folder + "/." + record.device)
        unlink(new)
        let file = try FileDescriptor.open(new, O_WRONLY | O_CREAT | O_EXCL)
        try file.write(text: record.text)
        // On memory, where nothing is lost by it.
        if rename(new, path) != 0 { throw Errno.last }
    }

    /// Takes a record away, since its device is gone.
    func remove(_ device: String) { unlink(folder + "/" + device) }

    /// The record of a device; nil when nobody has begun to prepare it.
    public func record(of device: String) -> MediumRecord? {
        SystemDirectory.text(folder + "/" + device).flatMap { MediumRecord(device: device, text: $0) }
    }

    /// All records.
    func records() -> [MediumRecord] {
        SystemDirectory.entries(folder).filter { !$0.hasPrefix(".") }.sorted().compactMap {
            record(of: $0)
        }
    }

    // MARK: - What is wanted

    /// Says that a medium is to be ejected.
    /// - Throws: `Errno` when the folder is not there or cannot be written to.
    func wish(_ device: String) throws(Errno) {
        _ = try FileDescriptor.open(wishes + "/" + device, O_WRONLY | O_CREAT).raw
    }

    /// Takes a wish away, since it is being fulfilled, or nobody has fulfilled it.
    public func takeBack(_ device: String) { unlink(wishes + "/" + device) }
}
