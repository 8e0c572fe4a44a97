import Glibc
import Linux

/// Creates a file with some bytes in it.
func create(_ path: String, _ bytes: [UInt8]) throws {
    let file = try FileDescriptor.open(path, O_WRONLY | O_CREAT | O_EXCL)
    let written = bytes.withUnsafeBytes { write(file.raw, $0.baseAddress, $0.count) }
    guard written == bytes.count else { throw Errno(EIO) }
}

/// All bytes of a file.
func content(of path: String) throws -> [UInt8] {
    let file = try FileDescriptor.open(path, O_RDONLY)
    var bytes = [UInt8](repeating: 0, count: Int(try file.status().st_size))
    let count = try bytes.withUnsafeMutableBytes { all throws(Errno) in try file.read(into: all, at: 0) }
    return Array(bytes.prefix(count))
}
