import CKernel
import Glibc

/// The one owner of an open file descriptor; the descriptor is closed when its owner goes.
///
/// Every call may be made from any thread, but reading and writing at the file's own position by one at a time.
public struct FileDescriptor: ~Copyable, Sendable {
    /// The number that the kernel gave, 0 or greater.
    public let raw: Int32

    /// - Parameter owned: an open descriptor that nobody else closes.
    public init(owning owned: Int32) {
        raw = owned
    }

    deinit {
        close(raw)
    }

    /// Opens a file (`open(2)`), close-on-exec added.
    /// - Parameters:
    ///   - path: the file's path.
    ///   - flags: `O_RDONLY`, `O_RDWR`, `O_CREAT | O_EXCL` and so on.
    ///   - mode: permission bits for a file that is created.
    /// - Throws: the kernel's `Errno`.
    public static func open(_ path: String, _ flags: Int32, mode: mode_t = 0o644) throws(Errno) -> FileDescriptor {
        FileDescriptor(owning: try Errno.check(retrying { ckernel_open(path, flags | O_CLOEXEC, mode) }))
    }

    /// A second descriptor of the same open file (`fcntl(2)`, F_DUPFD_CLOEXEC).
    public static func duplicate(of raw: Int32) throws(Errno) -> FileDescriptor {
        FileDescriptor(owning: try Errno.check(ckernel_duplicate(raw)))
    }

    /// Reads at the file's position: 0 at its end.
    /// - Throws: `Errno`, EAGAIN when nothing is ready and the descriptor does not block.
    public func read(into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
        let descriptor = raw
        return try Errno.check(retrying { Glibc.read(descriptor, buffer.baseAddress, buffer.count) })
    }

    /// Writes at the file's position and says how many bytes were taken.
    public func write(_ bytes: UnsafeRawBufferPointer) throws(Errno) -> Int {
        let descriptor = raw
        return try Errno.check(retrying { Glibc.write(descriptor, bytes.baseAddress, bytes.count) })
    }

    /// Writes a short text at the file's position, in one call, as files of the kernel want it.
    public func write(text: String) throws(Errno) {
        let descriptor = raw
        var text = text
        _ = try Errno.check(
            text.withUTF8 { bytes in
                retrying { Glibc.write(descriptor, bytes.baseAddress, bytes.count) }
            })
    }

    /// Reads from a place in the file until the buffer is full or the file ends.
    /// - Returns: the bytes read, fewer than the buffer holds only at the end of the file.
    public func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(Errno) -> Int {
        try Self.read(raw, into: buffer, at: offset)
    }

    /// Reads from a place in a file whose owner is somewhere else, until the buffer is full or the file ends.
    /// - Parameter descriptor: open for the time of the call.
    /// - Returns: the bytes read, fewer than the buffer holds only at the end of the file.
    public static func read(
        _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(Errno) -> Int {
        var done = 0
        while done < buffer.count {
            let position = done
            let count = try Errno.check(
                retrying {
                    pread(
                        descriptor, buffer.baseAddress.map { $0 + position }, buffer.count - position,
                        off_t(offset) + position)
                })
            if count == 0 { break }
            done += count
        }
        return done
    }

    /// Writes all bytes at a place in the file.
    /// - Throws: `Errno`; some of the bytes may have been written then.
    public func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(Errno) {
        let descriptor = raw
        var done = 0
        while done < bytes.count {
            let position = done
            done += try Errno.check(
                retrying {
                    pwrite(
                        descriptor, bytes.baseAddress.map { $0 + position }, bytes.count - position,
                        off_t(offset) + position)
                })
        }
    }

    /// Writes several pieces one behind the other at a place in the file, in one system call (`pwritev(2)`) where the
    /// file takes them whole.
    /// - Parameters:
    ///   - count: pieces, at most 1024.
    ///   - offset: the place of the first byte.
    ///   - piece: gives each piece by its number.
    /// - Throws: `Errno`; some of the bytes may have been written then.
    public func write(
        pieces count: Int, at offset: Int64, _ piece: (Int) -> UnsafeRawBufferPointer
    ) throws(Errno) {
        let descriptor = raw
        var total = 0
        // Some dozens find room on the stack.
        let done = try Errno.check(
            withUnsafeTemporaryAllocation(of: iovec.self, capacity: count) { vectors in
                for index in 0..<count {
                    let bytes = piece(index)
                    let base = UnsafeMutableRawPointer(mutating: bytes.baseAddress)
                    vectors.initializeElement(at: index, to: iovec(iov_base: base, iov_len: bytes.count))
                    total += bytes.count
                }
                return retrying { pwritev(descriptor, vectors.baseAddress, Int32(count), off_t(offset)) }
            })
        guard done < total else { return }
        var start = 0
        for index in 0..<count {
            let bytes = piece(index)
            let written = min(max(done - start, 0), bytes.count)
            if written < bytes.count {
                try write(UnsafeRawBufferPointer(rebasing: bytes[written...]), at: offset + Int64(start + written))
            }
            start += bytes.count
        }
    }

    /// Brings the file's data, and what is needed to find them again, onto the medium (`fdatasync(2)`).
    public func synchroniseData() throws(Errno) {
        let descriptor = raw
        _ = try Errno.check(retrying { fdatasync(descriptor) })
    }

    /// Brings data and all metadata onto the medium (`fsync(2)`); on a directory, its entries.
    public func synchronise() throws(Errno) {
        let descriptor = raw
        _ = try Errno.check(retrying { fsync(descriptor) })
    }

    /// Cuts or extends the file to a length in bytes (`ftruncate(2)`).
    public func truncate(to length: Int64) throws(Errno) {
        let descriptor = raw
        _ = try Errno.check(retrying { ftruncate(descriptor, off_t(length)) })
    }

    /// What the kernel knows of the file (`fstat(2)`).
    public func status() throws(Errno) -> stat {
        var result = stat()
        _ = try Errno.check(fstat(raw, &result))
        return result
    }

    /// Takes the exclusive open-file-description lock over the whole file (`fcntl(2)`, F_OFD_SETLK).
    ///
    /// The lock goes with the last descriptor of this open file, so also when the process is killed.
    /// - Returns: false when another open file holds a lock.
    public func lockExclusively() throws(Errno) -> Bool {
        if ckernel_lock_exclusive(raw) == 0 { return true }
        let reason = Errno.last
        if reason.code == EAGAIN || reason.code == EACCES { return false }
        throw reason
    }

    /// Gives the lock back. Closing does that too, but only once every copy of the descriptor is closed: also the one that
    /// a process which is just being started has until it runs its program.
    public func unlock() {
        // It fails only where there is no lock to give back.
        _ = ckernel_unlock(raw)
    }

    /// Whether another open file holds an exclusive lock (`fcntl(2)`, F_OFD_GETLK). It takes none, and works on a file that
    /// is open for reading only.
    public func isLockedElsewhere() throws(Errno) -> Bool {
        try Errno.check(ckernel_is_locked(raw)) == 1
    }

    /// Makes reads and writes return EAGAIN instead of waiting.
    public func setNonblocking() throws(Errno) {
        _ = try Errno.check(ckernel_set_nonblocking(raw))
    }

    /// Gives the descriptor's number away: nobody closes it but the caller.
    public consuming func release() -> Int32 {
        let number = raw
        discard self
        return number
    }
}

/// Repeats a call as long as a signal interrupts it (EINTR).
func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result >= 0 || errno != EINTR { return result }
    }
}
