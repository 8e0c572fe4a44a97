import Judges
import Testing

@testable import Storage

/// File systems that the usual programs make, and what blkid says of them.
@Suite("What is on a device")
struct FileSystemProbeTests {
    private func image(_ size: String, _ maker: [String]) throws -> (TemporaryFolder, String) {
        let folder = try TemporaryFolder()
        let path = folder.file("image")
        #expect(try ChildProcess("truncate", ["-s", size, path]).wait().exitCode == 0)
        let ending = try ChildProcess(maker[0], maker.dropFirst() + [path]).wait()
        #expect(ending.exitCode == 0, "\(ending)")
        return (folder, path)
    }

    private func judged(_ path: String) throws -> [String: String] {
        var fields: [String: String] = [:]
        for line in try ChildProcess("blkid", ["-p", "-d", "-o", "export", path]).wait().text.split(separator: "\n") {
            let pair = line.split(separator: "=", maxSplits: 1)
            if pair.count == 2 { fields[String(pair[0])] = String(pair[1]) }
        }
        return fields
    }

    @Test(
        "is what blkid finds there",
        arguments: [
            ("64M", ["mkfs.vfat", "-F", "32", "-n", "LECTURES"]), ("64M", ["mkfs.vfat", "-F", "16"]),
            ("4M", ["mkfs.vfat", "-F", "12", "-n", "TINY"]), ("64M", ["mkfs.exfat", "-L", "Vorträge"]),
            ("64M", ["mkfs.exfat"]), ("64M", ["mkfs.ext4", "-qF", "-L", "field recorder"]),
            ("64M", ["mkfs.ext3", "-qF"]),
        ])
    func made(_ size: String, _ maker: [String]) throws {
        let (folder, path) = try image(size, maker)
        let fields = try judged(path)
        let content = try #require(FileSystemProbe.content(of: path))
        #expect(content.type == fields["TYPE"])
        #expect(content.uuid == fields["UUID"])
        #expect(content.label == (fields["LABEL"]?.replacing("\\ ", with: " ") ?? ""))
        #expect(folder.names == ["image"])
    }

    @Test("is nothing where there is none")
    func nothing() throws {
        let (_, path) = try image("4M", ["true"])
        #expect(FileSystemProbe.content(of: path) == nil)
        #expect(FileSystemProbe.content(of: "/dev/null") == nil)
        #expect(FileSystemProbe.content(of: "/nowhere") == nil)
    }

    @Test("is read without a fault from any bytes")
    func hostile() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            var bytes = (0..<4096).map { _ in UInt8.random(in: 0...255, using: &generator) }
            (bytes[510], bytes[511]) = (0x55, 0xAA)
            bytes.replaceSubrange(3..<11, with: Array("EXFAT   ".utf8))
            _ = FileSystemProbe.extended(bytes)
            _ = FileSystemProbe.fat(bytes)
            #expect(FileSystemProbe.exfat(bytes, -1)?.type == "exfat")
        }
    }
}
