import Glibc
import Linux

/// What the kernel says of the memory of processes.
enum ProcessMemory {
    /// The number behind a name in a file of `/proc`, in kB; 0 where the process has gone.
    static func kilobytes(_ name: String, in path: String) -> Int64 {
        guard let file = try? FileDescriptor.open(path, O_RDONLY) else { return 0 }
        var bytes = [UInt8](repeating: 0, count: 8192)
        let count = (try? bytes.withUnsafeMutableBytes { all throws(Errno) in try file.read(into: all) }) ?? 0
        let line = String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: "\n").first {
            $0.hasPrefix(name)
        }
        // Spaces here, a tab and spaces there.
        let number = line?.dropFirst(name.count).drop { $0 == " " || $0 == "\t" }.prefix { $0.isNumber }
        return number.flatMap { Int64($0) } ?? 0
    }

    /// What is a process's own and changed (Private_Dirty), in kB, without buffers of devices that it has mapped. Of files
    /// that it has mapped for itself only what it changed (Anonymous) counts: a program's own text is in no file system
    /// of the board that could be called clean.
    static func ownDirtyKilobytes(of process: pid_t) -> Int64 {
        var (total, dirty): (Int64, Int64) = (0, 0)
        var (isDevice, isPrivateFile) = (false, false)
        try? TextLines.each(of: "/proc/\(process)/smaps") { line in
            if let value = line.kilobytes(named: "Private_Dirty:") {
                dirty = value
            } else if let value = line.kilobytes(named: "Anonymous:") {
                if !isDevice { total += isPrivateFile ? min(dirty, value) : dirty }
            } else if line.isMapping {
                isDevice = line.has(" /dev/video") || line.has("dmabuf")
                isPrivateFile = line.has("p ") && line.has(" /")
            }
        }
        return total
    }
}
