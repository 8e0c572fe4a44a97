import Glibc
import Linux

/// Looks into folders and files, in one piece each.
enum Folder {
    /// The names in a folder in their order, without "." and "..".
    /// - Throws: `Errno`, ENOENT or ENOTDIR when there is no such folder.
    static func names(in path: String) throws(Errno) -> [String] {
        guard let folder = opendir(path) else { throw Errno.last }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// The bytes of a small file.
    /// - Parameter limit: the most that it may have.
    /// - Throws: `Errno`, EFBIG for a larger one.
    static func bytes(of path: String, limit: Int = 1 << 20) throws(Errno) -> [UInt8] {
        let file = try FileDescriptor.open(path, O_RDONLY)
        var bytes = [UInt8](repeating: 0, count: limit + 1)
        var count = 0
        while count < bytes.count {
            var failure: Errno?
            let more = bytes.withUnsafeMutableBytes { buffer -> Int in
                do throws(Errno) {
                    return try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[count...]))
                } catch {
                    failure = error
                    return 0
                }
            }
            if let failure { throw failure }
            if more == 0 { break }
            count += more
        }
        if count > limit { throw Errno(EFBIG) }
        return Array(bytes[..<count])
    }
}
