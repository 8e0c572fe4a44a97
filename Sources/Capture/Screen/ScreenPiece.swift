import Glibc
import Linux
import Media
import V4L2

/// One dma-buf that a screen showed, or that its picture is put together in. It is open, and mapped once somebody looked,
/// for as long as this lives.
final class ScreenPiece {
    /// What the kernel knows it by, whoever shares it under which descriptor.
    let inode: UInt64
    let buffer: SharedBuffer
    /// When it was last shown, in views.
    var lastUse: UInt64 = 0
    private var map: Map?

    /// Holds a map, which cannot be an optional property by itself.
    private final class Map {
        let map: SharedMap
        let access: SharedMap.Access

        init(_ buffer: SharedBuffer, _ access: SharedMap.Access) throws(Errno) {
            map = try SharedMap(buffer, for: access)
            self.access = access
        }
    }

    /// Takes a dma-buf over, with its descriptor.
    init(_ buffer: SharedBuffer, inode: UInt64) {
        (self.buffer, self.inode) = (buffer, inode)
    }

    deinit {
        map = nil
        close(buffer.descriptor)
    }

    /// The bytes, which stay in place for as long as this lives; none before somebody began to look.
    var bytes: UnsafeMutableRawBufferPointer {
        map?.map.bytes ?? UnsafeMutableRawBufferPointer(start: nil, count: 0)
    }

    /// Begins to read or write, always the same of the two; `end` must follow.
    /// - Throws: the kernel's `Errno` where it cannot be mapped.
    func begin(_ access: SharedMap.Access) throws(Errno) {
        if let map { return try map.map.begin(map.access) }
        let map = try Map(buffer, access)
        try map.map.begin(access)
        self.map = map
    }

    /// Ends what `begin` began.
    func end() {
        // It fails only where it was not begun.
        if let map { try? map.map.end(map.access) }
    }

    /// The number by which the kernel knows a dma-buf.
    static func inode(of descriptor: Int32) throws(Errno) -> UInt64 {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Errno.last }
        return UInt64(status.st_ino)
    }
}
