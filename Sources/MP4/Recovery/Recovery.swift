import Glibc
import Linux
import Media

/// Finishes recordings that a power cut or a kill left unfinished (`docs/file-format.md`).
public enum Recovery {
    /// Finishes a recording: cuts off what is not whole, writes the tables and makes it an ordinary MP4. A file that is
    /// finished already is not touched, and a second recovery changes nothing.
    /// - Parameters:
    ///   - path: the file.
    ///   - isThorough: whether all media are read and compared with their checksums, for a medium that says of bytes
    ///     that they are saved when they are not. Without it only the last fragments are.
    /// - Throws: `Failure`, and the file was not touched, of kind busy while it is being recorded; notARecording when
    ///   it is none of Kinebox's or does not exist; damaged when its very start was damaged after the recording;
    ///   notAuthorised when it may not be read; mediumReadOnly when it is unfinished and may not be written. Of kind mediumFull or mediumFailed when it could not
    ///   be finished: it still plays, and recovery can be tried again.
    public static func recover(path: String, isThorough: Bool = false) throws(Failure) -> RecoveryResult {
        let file: FileDescriptor
        do {
            file = try FileDescriptor.open(path, O_RDWR | O_NONBLOCK)
        } catch  where [EACCES, EPERM, EROFS, ETXTBSY].contains(error.code) {
            return try examine(path)
        } catch {
            throw cannotOpen(path, error)
        }
        return try finish(file, path, isThorough: isThorough)
    }

    /// Recovers a file that may be written.
    private static func finish(
        _ file: consuming FileDescriptor, _ path: String, isThorough: Bool
    ) throws(Failure) -> RecoveryResult {
        let size = try byteCount(of: file, path)
        let isLocked: Bool
        do {
            isLocked = try file.lockExclusively()
        } catch {
            throw .medium(error, "cannot lock \(path)")
        }
        guard isLocked else { throw isBeingRecorded(path) }
        let output = try FileOutput.existing(file, path: path)
        let window = FileWindow(output.descriptor, capacity: RecordWalk.windowByteCount, readahead: 4096)
        return try PartRecovery(
            window: window, output: output, path: path, claimedByteCount: size, isThorough: isThorough
        ).run()
    }

    /// Says of a file that must not be written whether it needs to be.
    private static func examine(_ path: String) throws(Failure) -> RecoveryResult {
        let file: FileDescriptor
        do {
            file = try FileDescriptor.open(path, O_RDONLY | O_NONBLOCK)
        } catch {
            throw cannotOpen(path, error)
        }
        let size = try byteCount(of: file, path)
        // Where the kernel does not say, nothing can be spoiled: the file is only looked at.
        if (try? file.isLockedElsewhere()) == true { throw isBeingRecorded(path) }
        let window = FileWindow(file.raw, capacity: RecordWalk.windowByteCount, readahead: 4096)
        let result = try PartRecovery(
            window: window, output: nil, path: path, claimedByteCount: size, isThorough: false
        ).run()
        _ = consume file
        return result
    }

    private static func byteCount(of file: borrowing FileDescriptor, _ path: String) throws(Failure) -> Int64 {
        let status: stat
        do {
            status = try file.status()
        } catch {
            throw cannotOpen(path, error)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw Failure(.notARecording, path, because: "it is no ordinary file")
        }
        return Int64(status.st_size)
    }

    private static func isBeingRecorded(_ path: String) -> Failure {
        Failure(.busy, path, because: "it is being recorded", mend: "Stop the recording; that finishes it.")
    }

    private static func cannotOpen(_ path: String, _ reason: Errno) -> Failure {
        switch reason.code {
        case ENOENT, ENOTDIR, EISDIR:
            Failure(.notARecording, path, because: "there is no such file", mend: "Look for another name.")
        case EACCES, EPERM:
            Failure(
                .notAuthorised, path, because: "this user may not read it", mend: "Have the right to read it given.")
        default:
            .medium(reason, "cannot recover \(path)")
        }
    }
}
