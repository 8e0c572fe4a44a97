import Linux

/// Looks at a file through a buffer of fixed size, by positioned reads alone: a file that shrinks or a medium that is
/// pulled gives an error, never a signal. It is used by one thread at a time, and the descriptor must stay open for as
/// long as it is used.
final class FileWindow {
    private let descriptor: Int32
    private let buffer: UnsafeMutableRawBufferPointer
    private var start: Int64 = 0
    private var used = 0
    private let readahead: Int

    /// Bytes that can be seen at once.
    var capacity: Int { buffer.count }

    /// - Parameters:
    ///   - descriptor: an open file; the window does not close it.
    ///   - capacity: bytes of the buffer, 64 KiB where nothing else is said.
    ///   - readahead: bytes that are fetched at least; small where single places far apart are looked at.
    init(_ descriptor: Int32, capacity: Int = 64 << 10, readahead: Int = 64 << 10) {
        self.descriptor = descriptor
        let size = max(capacity, 64)
        buffer = .allocate(byteCount: size, alignment: 16)
        self.readahead = min(max(readahead, 64), size)
    }

    deinit {
        buffer.deallocate()
    }

    /// The bytes at a place, valid until the next call of the window.
    /// - Parameters:
    ///   - offset: the place of the first byte, 0 or greater.
    ///   - count: bytes wanted, at most the capacity.
    /// - Returns: as many bytes as were asked for, or fewer where the file ends.
    /// - Throws: `Errno` of the read.
    func bytes(at offset: Int64, count: Int) throws(Errno) -> UnsafeRawBufferPointer {
        let wanted = min(max(count, 0), buffer.count)
        // No file is that long, and the kernel would refuse the sum of place and count.
        guard offset >= 0, offset < Int64.max - Int64(buffer.count) else {
            return UnsafeRawBufferPointer(start: nil, count: 0)
        }
        if offset < start || offset - start > Int64(used) || Int(offset - start) + wanted > used {
            try fill(at: offset, wanted: wanted)
        }
        let position = Int(offset - start)
        return UnsafeRawBufferPointer(rebasing: buffer[position..<min(position + wanted, used)])
    }

    /// As many of the bytes at a place as can be seen without reading anything twice, for a walk from one to the next.
    /// - Parameters:
    ///   - offset: the place of the first byte, 0 or greater.
    ///   - least: bytes that are needed, at most the capacity.
    ///   - most: bytes that are wanted.
    /// - Returns: from `least` to `most` bytes, or fewer where the file ends.
    func bytes(at offset: Int64, from least: Int, to most: Int64) throws(Errno) -> UnsafeRawBufferPointer {
        let seen = offset >= start ? Int64(used) - (offset - start) : 0
        let wanted = seen >= min(Int64(least), most) ? seen : Int64(max(readahead, least))
        return try bytes(at: offset, count: Int(min(most, wanted)))
    }

    private func fill(at offset: Int64, wanted: Int) throws(Errno) {
        start = offset
        used = 0
        let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<max(wanted, readahead)])
        used = try FileDescriptor.read(descriptor, into: part, at: offset)
    }
}

extension FileWindow {
    /// The bytes at a place inside a box, all of them.
    /// - Throws: `BoxFault.unreadable` when the file ends before or cannot be read.
    func boxBytes(at offset: Int64, count: Int) throws(BoxFault) -> UnsafeRawBufferPointer {
        let found: UnsafeRawBufferPointer
        do {
            found = try bytes(at: offset, count: count)
        } catch {
            throw .unreadable(offset: offset, error)
        }
        guard found.count == count else { throw .unreadable(offset: offset, nil) }
        return found
    }

    /// As many of the bytes at a place inside a box as can be seen without reading anything twice.
    /// - Throws: `BoxFault.unreadable` when not even the least can be read.
    func boxBytes(at offset: Int64, from least: Int, to most: Int64) throws(BoxFault) -> UnsafeRawBufferPointer {
        let found: UnsafeRawBufferPointer
        do {
            found = try bytes(at: offset, from: least, to: most)
        } catch {
            throw .unreadable(offset: offset, error)
        }
        guard found.count >= least else { throw .unreadable(offset: offset, nil) }
        return found
    }

    /// A number of 32 bits, most significant byte first.
    func number32(at offset: Int64) throws(BoxFault) -> UInt32 {
        UInt32(bigEndian: try boxBytes(at: offset, count: 4).loadUnaligned(as: UInt32.self))
    }

    /// A number of 64 bits, most significant byte first.
    func number64(at offset: Int64) throws(BoxFault) -> UInt64 {
        UInt64(bigEndian: try boxBytes(at: offset, count: 8).loadUnaligned(as: UInt64.self))
    }
}
