import CKernel
import Glibc

/// Tells of what appears in folders, or becomes allowed there (`inotify(7)`). It does not block, and costs nothing while
/// nothing happens. Used by one thread.
public struct DirectoryWatch: ~Copyable {
    private let descriptor: FileDescriptor

    /// - Throws: `Errno` when no descriptor is left.
    public init() throws(Errno) {
        descriptor = FileDescriptor(
            owning: try Errno.check(inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))))
    }

    /// The descriptor to wait for: readable while there are changes.
    public var raw: Int32 { descriptor.raw }

    /// Watches a folder.
    /// - Returns: the number by which its changes are told; the same when the folder is watched already.
    /// - Throws: `Errno`, ENOENT where there is no such folder.
    @discardableResult
    public func add(_ path: String) throws(Errno) -> Int32 {
        let mask = IN_CREATE | IN_MOVED_TO | IN_ATTRIB | IN_ONLYDIR
        return try Errno.check(inotify_add_watch(descriptor.raw, path, UInt32(bitPattern: Int32(mask))))
    }

    /// Hands out all changes that wait.
    /// - Parameter body: is called with the folder's number and the entry's name; with -1 and "" where changes were lost,
    ///   so that all has to be looked at again.
    public func changes(_ body: (Int32, String) -> Void) {
        let headerSize = 16
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
            while let count = try? descriptor.read(into: buffer), count > 0 {
                var offset = 0
                while offset + headerSize <= count {
                    let watch = buffer.load(fromByteOffset: offset, as: Int32.self)
                    let length = Int(buffer.load(fromByteOffset: offset + 12, as: UInt32.self))
                    let name = buffer[(offset + headerSize)..<min(offset + headerSize + length, count)]
                    body(watch, String(decoding: name.prefix { $0 != 0 }, as: UTF8.self))
                    offset += headerSize + length
                }
            }
        }
    }
}
