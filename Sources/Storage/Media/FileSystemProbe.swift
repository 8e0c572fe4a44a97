import Glibc
import Linux
import Media

/// Looks for the file systems that sticks and cards have, at the places where their specifications put their names. It is
/// for boards on which udev's service does not run; it needs the right to read the device.
enum FileSystemProbe {
    /// - Returns: nil where nothing known is found, or the device cannot be read.
    static func content(of node: String) -> FileSystemContent? {
        guard let file = try? FileDescriptor.open(node, O_RDONLY | O_NONBLOCK) else { return nil }
        guard let start = read(file.raw, at: 0, count: 4096), start.count == 4096 else { return nil }
        if let content = extended(start) ?? fat(start) { return content }
        return exfat(start, file.raw)
    }

    private static func read(_ descriptor: Int32, at offset: Int64, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        let got = bytes.withUnsafeMutableBytes { try? FileDescriptor.read(descriptor, into: $0, at: offset) }
        return got.map { Array(bytes[..<$0]) }
    }

    /// ext2, ext3 and ext4: the superblock begins at 1024 (Linux, Documentation/filesystems/ext4/super.rst).
    static func extended(_ start: [UInt8]) -> FileSystemContent? {
        guard number(start, 1024 + 56, 2) == 0xEF53 else { return nil }
        let hasJournal = number(start, 1024 + 92, 4) & 0x4 != 0
        let hasExtents = number(start, 1024 + 96, 4) & 0x40 != 0
        let uuid = start[(1024 + 104)..<(1024 + 120)].map { hexadecimal(UInt64($0), digits: 2) }
        let words = [uuid[0..<4], uuid[4..<6], uuid[6..<8], uuid[8..<10], uuid[10..<16]].map { $0.joined() }
        return FileSystemContent(
            type: hasExtents ? "ext4" : hasJournal ? "ext3" : "ext2", uuid: words.joined(separator: "-").lowercased(),
            label: text(start[(1024 + 120)..<(1024 + 136)]))
    }

    /// FAT, and NTFS, which only looks so (Microsoft, "FAT: General Overview of On-Disk Format").
    static func fat(_ start: [UInt8]) -> FileSystemContent? {
        guard start[510] == 0x55, start[511] == 0xAA else { return nil }
        if text(start[3..<11]) == "NTFS" { return FileSystemContent(type: "ntfs", uuid: "") }
        for (name, base) in [("FAT32", 64), ("FAT16", 36), ("FAT12", 36)] {
            guard text(start[(base + 18)..<(base + 26)]) == name else { continue }
            let label = text(start[(base + 7)..<(base + 18)])
            return FileSystemContent(
                type: "vfat", uuid: serial(number(start, base + 3, 4)), label: label == "NO NAME" ? "" : label)
        }
        return nil
    }

    /// exFAT; its label is an entry of the root folder (Microsoft, "exFAT file system specification", 3.1 and 7.3).
    static func exfat(_ start: [UInt8], _ descriptor: Int32) -> FileSystemContent? {
        guard text(start[3..<11]) == "EXFAT" else { return nil }
        var content = FileSystemContent(type: "exfat", uuid: serial(number(start, 100, 4)))
        let sector = Int64(1) << Int64(min(start[108], 12))
        let cluster = sector << Int64(min(start[109], 16))
        let place = Int64(number(start, 88, 4)) * sector + (Int64(number(start, 96, 4)) - 2) * cluster
        guard place > 0, let root = read(descriptor, at: place, count: 4096) else { return content }
        for entry in stride(from: 0, to: root.count - 31, by: 32) where root[entry] == 0x83 {
            let units = (0..<Int(min(root[entry + 1], 11))).map { UInt16(number(root, entry + 2 + 2 * $0, 2)) }
            content.label = String(decoding: units, as: UTF16.self)
        }
        return content
    }

    /// Least significant byte first.
    private static func number(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> UInt64 {
        bytes[offset..<(offset + count)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// "1A2B-3C4D", as udev writes the serial number of a FAT.
    private static func serial(_ number: UInt64) -> String {
        let digits = hexadecimal(number, digits: 8)
        return digits.prefix(4) + "-" + digits.suffix(4)
    }

    private static func hexadecimal(_ number: UInt64, digits: Int) -> String {
        let text = String(number, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        var text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        while text.hasSuffix(" ") { text.removeLast() }
        return text
    }
}
