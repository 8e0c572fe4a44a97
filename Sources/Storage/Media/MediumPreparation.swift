import Glibc
import Linux
import Media

/// Makes a medium ready to be recorded to: checks its file system, mounts it, gives it to the recorder's user. It needs the
/// rights of root, waits for the medium, and so runs in a program of its own that ends with it.
public struct MediumPreparation {
    private let device: BlockDevice
    private let rule: MediumRule
    private let runtime: MediaRuntime
    private let owner: MediumOwner
    /// Nanoseconds that a check may take.
    private let checkLimit: Int64

    /// - Parameters:
    ///   - device: a disk, or a part of one.
    ///   - rule: says whether it is a medium.
    ///   - runtime: where it is told of.
    ///   - owner: whose the files are to be.
    ///   - checkLimit: nanoseconds that the check of the file system may take; 60 s.
    public init(
        _ device: BlockDevice, _ rule: MediumRule, runtime: MediaRuntime, owner: MediumOwner,
        checkLimit: Int64 = 60_000_000_000
    ) {
        self.device = device
        self.rule = rule
        self.runtime = runtime
        self.owner = owner
        self.checkLimit = checkLimit
    }

    /// Does all of it. How far it is, and how it ended, is in the device's record at any moment.
    /// - Returns: where it is mounted.
    /// - Throws: `Failure` of kind mediumFailed when it cannot be used, busy when it is none of ours, internalFault.
    public func run() throws(Failure) -> String {
        let mounts = MountTable.now()
        let system = SystemDisks.found(mounts, butNot: rule.folder)
        let verdict = rule.verdict(on: device, mounts, system)
        if case .ignored(let cause) = verdict {
            throw Failure(.busy, "cannot use \(device.node)", because: cause)
        }
        if let folder = readyFolder(mounts) { return folder }
        var record = try begin()
        do throws(Failure) {
            switch verdict {
            case .usable(let kind): try prepare(kind, &record)
            case .refused(let cause, let mend): throw unusable(cause, mend: mend)
            case .ignored: break
            }
        } catch {
            record.state = .failed
            (record.cause, record.mend) = (error.cause, error.mend)
            tell(record)
            throw error
        }
        return record.folder
    }

    /// Where the device is mounted, if it was prepared before.
    private func readyFolder(_ mounts: MountTable) -> String? {
        guard let record = runtime.record(of: device.name), record.sequence == device.sequence,
            [.mounted, .ejecting].contains(record.state), mounts.entry(at: record.folder)?.device == device.number
        else { return nil }
        return record.folder
    }

    private func prepare(_ kind: MediumFileSystem, _ record: inout MediumRecord) throws(Failure) {
        let isWhole = try check(kind)
        record.state = .mounting
        tell(record)
        record.folder = try makeFolder(record.name)
        do throws(Failure) {
            let isWritable = isWhole && !device.isReadOnly
            record.isProtected = try !mount(kind, record.folder, isWritable: isWritable) || !isWritable
            // It stays mounted, so that what is on it can be saved.
            guard isWhole else {
                throw unusable(
                    "its file system is damaged, and could not be mended in time or without a person",
                    mend: "Save what is on it, and format it again.")
            }
            if !record.isProtected { try takeOver(kind, record.folder) }
        } catch {
            if isWhole {
                MediumRemoval.leave(record.folder)
                record.folder = ""
            }
            throw error
        }
        record.state = .mounted
        tell(record)
    }

    private func tell(_ record: MediumRecord) {
        // Where it cannot be written, nobody waits for it.
        try? runtime.write(record)
    }

    private func unusable(_ cause: String, mend: String) -> Failure {
        Failure(.mediumFailed, "cannot record to \(device.node)", because: cause, mend: mend)
    }

    /// Clears away what is left of media that are gone, and gives the medium a name that no other one has.
    private func begin() throws(Failure) -> MediumRecord {
        let content = device.content ?? FileSystemContent(type: "", uuid: "")
        do throws(Errno) {
            try runtime.make(for: owner)
            return try runtime.exclusively { () throws(Errno) -> MediumRecord in
                let mounts = MediumRemoval.leaveWhatIsGone(rule, runtime, butNot: device)
                let taken = Set(runtime.records().filter { $0.device != device.name }.map(\.name))
                let name = MediumName.candidates(for: device).first {
                    !taken.contains($0) && mounts.entry(at: rule.folder + "/" + $0) == nil
                }
                let record = MediumRecord(device, name: name ?? device.name, content: content)
                try runtime.write(record)
                return record
            }
        } catch {
            throw Failure(
                .internalFault, "cannot prepare \(device.node)",
                because: "what is done with it cannot be told in \(runtime.folder): \(error)")
        }
    }

    /// - Returns: false when something is wrong that cannot be mended without a person, or in time.
    private func check(_ kind: MediumFileSystem) throws(Failure) -> Bool {
        guard !device.isReadOnly else { return true }
        let words = kind.check(device.node)
        do throws(Errno) {
            let nothing = try FileDescriptor.open("/dev/null", O_RDONLY)
            let program = try Subprocess(words[0], Array(words.dropFirst()), input: nothing.raw, output: STDERR_FILENO)
            return try program.wait(within: checkLimit).map { kind.isWhole(afterCheck: $0) } ?? false
        } catch {
            // Without the program nobody can tell: the kernel's driver has the last word.
            if error.code == ENOENT { return true }
            throw Failure(.internalFault, "cannot run \(words[0])", because: "\(error)")
        }
    }

    /// The folder to mount it on, which belongs to root, so that nobody else can write where nothing is mounted.
    private func makeFolder(_ name: String) throws(Failure) -> String {
        var path = ""
        for part in rule.folder.split(separator: "/") + [Substring(name)] {
            path += "/" + part
            mkdir(path, 0o755)
        }
        guard chown(path, 0, 0) == 0, chmod(path, 0o755) == 0 else {
            throw Failure(.internalFault, "cannot make the folder \(path)", because: "\(Errno.last)")
        }
        return path
    }

    /// - Returns: whether it can be written to.
    private func mount(_ kind: MediumFileSystem, _ folder: String, isWritable: Bool) throws(Failure) -> Bool {
        let flags = MediumFileSystem.flags | (isWritable ? 0 : UInt(MS_RDONLY))
        let options = kind.options(owner, isReadOnly: !isWritable)
        if Glibc.mount(device.node, folder, kind.rawValue, flags, options) == 0 { return isWritable }
        let reason = Errno.last
        if isWritable, reason.code == EROFS || reason.code == EACCES {
            return try mount(kind, folder, isWritable: false)
        }
        throw unusable("it cannot be mounted: \(reason)", mend: "Try it in another computer, or format it again.")
    }

    /// Lets the owner write into the folder at the top, where the file system has owners of its own: what is still root's
    /// becomes the owner's, and what is a person's stays so, and is opened to the owner's group.
    private func takeOver(_ kind: MediumFileSystem, _ folder: String) throws(Failure) {
        guard kind == .ext4, owner.user != 0, let top = fileStatus(folder), top.st_uid != owner.user else { return }
        if top.st_uid == 0 {
            guard chown(folder, owner.user, owner.group) == 0 else { throw refused(folder) }
        } else if top.st_gid != owner.group || top.st_mode & 0o070 != 0o070 {
            guard chown(folder, uid_t.max, owner.group) == 0, chmod(folder, top.st_mode & 0o7777 | 0o070) == 0 else {
                throw refused(folder)
            }
        }
    }

    private func refused(_ folder: String) -> Failure {
        unusable("its folder cannot be given to the recorder: \(Errno.last)", mend: "")
    }
}
