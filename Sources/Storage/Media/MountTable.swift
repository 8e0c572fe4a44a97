import Glibc
import Linux

/// What is mounted where (`proc(5)`, /proc/self/mountinfo).
public struct MountTable: Hashable, Sendable {
    /// A mounted file system.
    public struct Entry: Hashable, Sendable {
        /// The number of the device that it is on.
        public var device: UInt64
        /// The part of the file system that is seen, "/" for all of it.
        public var root: String
        /// Where it is seen.
        public var folder: String
        /// The kernel's name for its kind.
        public var type: String
        /// The device's node, or whatever stands in its place.
        public var source: String
        /// Whether nothing can be written, by the mount or by the file system itself.
        public var isReadOnly: Bool
    }

    /// In the order in which they were mounted.
    public var entries: [Entry]

    /// What is mounted now, as this process sees it.
    public static func now() -> MountTable { MountTable(SystemDirectory.text("/proc/self/mountinfo") ?? "") }

    /// - Parameter text: lines as the kernel writes them; others are passed over.
    public init(_ text: String) {
        entries = text.split(separator: "\n").compactMap(Self.entry)
    }

    private static func entry(_ line: Substring) -> Entry? {
        let fields = line.split(separator: " ")
        guard let dash = fields.firstIndex(of: "-"), dash >= 6, fields.count >= dash + 4 else { return nil }
        let numbers = fields[2].split(separator: ":").compactMap { UInt64($0) }
        guard numbers.count == 2 else { return nil }
        let options = fields[5].split(separator: ",") + fields[dash + 3].split(separator: ",")
        return Entry(
            device: DeviceNumber.make(numbers[0], numbers[1]), root: unescaped(fields[3]), folder: unescaped(fields[4]),
            type: String(fields[dash + 1]), source: unescaped(fields[dash + 2]),
            // An ext4 that met a failure says "emergency_ro", and its flags do not.
            isReadOnly: options.contains("ro") || options.contains("emergency_ro"))
    }

    /// The kernel writes blanks and the like as a backslash and three octal digits.
    private static func unescaped(_ field: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(field.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\\"), rest.count >= 3,
                let value = UInt8(String(decoding: rest.prefix(3), as: UTF8.self), radix: 8)
            {
                bytes.append(value)
                rest = rest.dropFirst(3)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// What is seen in a folder: the newest of what is mounted there.
    public func entry(at folder: String) -> Entry? { entries.last { $0.folder == folder } }

    /// Where a device is mounted.
    public func folders(of device: UInt64) -> [String] { entries.filter { $0.device == device }.map(\.folder) }
}

/// The numbers by which the kernel knows devices.
public enum DeviceNumber {
    /// As `makedev(3)` does it, which is a macro.
    public static func make(_ major: UInt64, _ minor: UInt64) -> UInt64 {
        (major & 0xFFF) << 8 | (major & ~0xFFF) << 32 | (minor & 0xFF) | (minor & ~0xFF) << 12
    }

    /// The number of the whole disk that a part of a disk is on; its own for anything else.
    public static func disk(of number: UInt64) -> UInt64 {
        let folder = folder(of: number)
        guard access(folder + "/partition", F_OK) == 0 else { return number }
        return read(folder + "/../dev") ?? number
    }

    /// The numbers of all whole disks that something stands on: those below a mapping or an array, too.
    static func disks(of number: UInt64) -> Set<UInt64> {
        var found: Set<UInt64> = []
        var open = [number]
        while let next = open.popLast() {
            guard found.insert(disk(of: next)).inserted || next != disk(of: next) else { continue }
            let folder = folder(of: next) + "/slaves"
            open += SystemDirectory.entries(folder).compactMap { read("\(folder)/\($0)/dev") }
        }
        return found
    }

    /// Whether there is a device with a number.
    static func isThere(_ number: UInt64) -> Bool { access(folder(of: number), F_OK) == 0 }

    /// The folder below /sys/devices of a device; nil where there is none.
    static func systemPath(of number: UInt64) -> String? {
        guard let path = realpath(folder(of: number), nil) else { return nil }
        defer { free(path) }
        return String(cString: path)
    }

    private static func folder(of number: UInt64) -> String {
        "/sys/dev/block/\(major(number)):\(minor(number))"
    }

    static func major(_ number: UInt64) -> UInt64 { number >> 8 & 0xFFF | number >> 32 & ~0xFFF }

    static func minor(_ number: UInt64) -> UInt64 { number & 0xFF | number >> 12 & 0xFFFF_FF00 }

    /// Reads a file with "8:1".
    private static func read(_ path: String) -> UInt64? {
        let parts = (SystemDirectory.line(path) ?? "").split(separator: ":").compactMap { UInt64($0) }
        return parts.count == 2 ? make(parts[0], parts[1]) : nil
    }
}
