import CKernel
import Glibc
import Linux
import Media

/// A part's file on its medium, locked for as long as the object lives.
package final class FileOutput: PartOutput {
    private let file: FileDescriptor
    private let folder: FileDescriptor
    private let path: String
    private var forgotten: Int64 = 0

    private init(file: consuming FileDescriptor, folder: consuming FileDescriptor, path: String) {
        self.file = file
        self.folder = folder
        self.path = path
    }

    deinit {
        file.unlock()
    }

    /// Creates a file that must not exist yet, and locks it.
    /// - Throws: `Failure` of kind fileExists, noMedium, mediumReadOnly, mediumFull, mediumFailed, invalidName or
    ///   internalFault; nothing was created then.
    package static func create(at path: String) throws(Failure) -> FileOutput {
        let thing = "cannot create \(path)"
        let folder: FileDescriptor
        do {
            folder = try FileDescriptor.open(Self.folderPath(of: path), O_RDONLY | O_DIRECTORY)
        } catch {
            throw .medium(error, thing)
        }
        let file: FileDescriptor
        do {
            file = try FileDescriptor.open(path, O_RDWR | O_CREAT | O_EXCL)
        } catch {
            throw .medium(error, thing)
        }
        var fault: Failure?
        do {
            if !(try file.lockExclusively()) {
                fault = Failure(.busy, thing, because: "another program took hold of the new file")
            }
        } catch {
            fault = .medium(error, thing)
        }
        if let fault {
            unlink(path)
            throw fault
        }
        return FileOutput(file: file, folder: folder, path: path)
    }

    /// Takes over a file that is open for reading and writing, and locked.
    static func existing(_ file: consuming FileDescriptor, path: String) throws(Failure) -> FileOutput {
        do {
            let folder = try FileDescriptor.open(folderPath(of: path), O_RDONLY | O_DIRECTORY)
            return FileOutput(file: file, folder: folder, path: path)
        } catch {
            throw .medium(error, "cannot finish \(path)")
        }
    }

    /// The open file, for reading; the output owns it.
    var descriptor: Int32 { file.raw }

    package func write(_ pieces: [OutputPiece], at offset: Int64) throws(Errno) {
        try file.write(pieces: pieces.count, at: offset) { pieces[$0].bytes }
    }

    package func synchronise() throws(Errno) {
        try file.synchroniseData()
    }

    /// Brings the file's name onto the medium.
    func synchroniseName() throws(Errno) {
        do {
            try folder.synchronise()
        } catch  where error.code == EINVAL {
            // Some file systems in user space have nothing to synchronise in a folder and say so.
        }
    }

    package func truncate(to length: Int64) throws(Errno) {
        try file.truncate(to: length)
    }

    package func forget(before offset: Int64) {
        guard offset > forgotten else { return }
        // A hint: where it fails nothing is lost but memory that the kernel takes back by itself.
        _ = posix_fadvise(file.raw, off_t(forgotten), off_t(offset - forgotten), POSIX_FADV_DONTNEED)
        forgotten = offset
    }

    package func remove() throws(Errno) {
        if unlink(path) != 0 { throw Errno.last }
        try synchroniseName()
    }

    private static func folderPath(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
