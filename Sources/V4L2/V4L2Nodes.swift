import Glibc

/// The video devices' nodes of this machine, but for those that this program is closing: opening a device that hangs while
/// it is closed may hang as well.
public enum V4L2Nodes {
    /// The paths of all nodes in /dev whose names begin with "video", by number, those without a number behind the others:
    /// plugins of libv4l2 have such names for devices that the kernel does not know.
    public static var paths: [String] {
        guard let folder = opendir("/dev") else { return [] }
        defer { closedir(folder) }
        var numbers: [Int] = []
        var others: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard name.hasPrefix("video") else { continue }
            if let number = Int(name.dropFirst(5)) { numbers.append(number) } else { others.append(name) }
        }
        let all = numbers.sorted().map { "/dev/video\($0)" } + others.sorted().map { "/dev/\($0)" }
        return all.filter { V4L2Disposal.pending(at: $0) == 0 }
    }
}
