import Glibc

/// Small reads of what the kernel shows in its file systems.
public enum SystemDirectory {
    /// The names in a folder, without "." and "..", in no order; empty when it cannot be read.
    public static func entries(_ path: String) -> [String] {
        guard let directory = opendir(path) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names
    }

    /// A file's text, at most 64 KiB; nil when it cannot be read.
    public static func text(_ path: String) -> String? {
        guard let file = try? FileDescriptor.open(path, O_RDONLY) else { return nil }
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        var count = 0
        while count < bytes.count {
            let more = bytes.withUnsafeMutableBytes {
                (try? file.read(into: UnsafeMutableRawBufferPointer(rebasing: $0[count...]))) ?? 0
            }
            if more == 0 { break }
            count += more
        }
        return String(decoding: bytes[..<count], as: UTF8.self)
    }

    /// The folder with what the kernel shows of a device node.
    /// - Parameter path: the node, or a link to it.
    public static func device(_ path: String) -> String {
        var node = stat()
        guard stat(path, &node) == 0 else { return "/sys/dev/char" }
        // As glibc's gnu_dev_major and gnu_dev_minor, which are macros.
        let number = UInt64(node.st_rdev)
        let major = (number >> 8 & 0xfff) | (number >> 32 & 0xffff_f000)
        let minor = (number & 0xff) | (number >> 12 & 0xffff_ff00)
        return "/sys/dev/char/\(major):\(minor)"
    }

    /// A file's first line; nil when it cannot be read.
    public static func line(_ path: String) -> String? {
        text(path)?.split(separator: "\n", omittingEmptySubsequences: false).first.map(String.init)
    }
}
