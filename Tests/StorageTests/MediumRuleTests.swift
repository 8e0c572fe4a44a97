import Judges
import Media
import Testing

@testable import Storage

/// Which disks are media, from what is known of a machine.
@Suite("Disks that are media")
struct MediumRuleTests {
    private let rule = MediumRule()
    private let root = DeviceNumber.make(179, 0)
    private var system: SystemDisks { SystemDisks(disks: [root], reserved: ["UUID=KEPT-0001", "/dev/sdz1"]) }

    private func stick(
        _ name: String, _ minor: UInt64, _ content: FileSystemContent?, bus: BlockDevice.Bus = .usb
    ) -> BlockDevice {
        let number = DeviceNumber.make(8, minor)
        return BlockDevice(
            node: "/dev/" + name, systemPath: "/sys/" + name, number: number, disk: DeviceNumber.make(8, minor & ~15),
            bus: bus, byteCount: 1 << 30, content: content)
    }

    private func exfat(_ uuid: String, _ label: String = "") -> FileSystemContent {
        FileSystemContent(type: "exfat", uuid: uuid, label: label)
    }

    private func mounted(_ device: BlockDevice, _ folder: String, _ options: String = "rw") -> String {
        let minor = device.number & 0xFF
        return "40 22 8:\(minor) / \(folder) \(options) - exfat \(device.node) rw\n"
    }

    private func verdict(_ device: BlockDevice, _ mounts: String = "") -> MediumRule.Verdict {
        rule.verdict(on: device, MountTable(mounts), system)
    }

    private func isIgnored(_ verdict: MediumRule.Verdict) -> Bool {
        if case .ignored = verdict { return true }
        return false
    }

    @Test("are sticks and cards with a file system that is used", arguments: MediumFileSystem.allCases)
    func usable(_ kind: MediumFileSystem) {
        let content = FileSystemContent(type: kind.rawValue, uuid: "1")
        #expect(verdict(stick("sda1", 1, content)) == .usable(kind))
        #expect(verdict(stick("mmcblk1p1", 1, content, bus: .card)) == .usable(kind))
    }

    @Test("are never what the system lives on, or what is another's")
    func ignored() {
        var card = stick("mmcblk0p3", 3, exfat("1"), bus: .card)
        card.disk = root
        #expect(isIgnored(verdict(card)))
        #expect(isIgnored(verdict(stick("nvme0n1p1", 1, exfat("1"), bus: .other))))
        #expect(isIgnored(verdict(stick("sda1", 1, exfat("KEPT-0001")))))
        #expect(isIgnored(verdict(stick("sdz1", 1, exfat("1")))))
        #expect(isIgnored(verdict(stick("sda", 0, nil))))
        #expect(isIgnored(verdict(stick("sda2", 2, FileSystemContent(type: "swap", uuid: "1")))))
        var device = stick("sda1", 1, exfat("1"))
        #expect(isIgnored(verdict(device, mounted(device, "/mnt"))))
        #expect(verdict(device, mounted(device, "/media/kinebox/a")) == .usable(.exfat))
        device.isUsed = true
        #expect(isIgnored(verdict(device)))
    }

    @Test("may be disks of the machine that are named, but never one that is mounted for something else")
    func named() {
        var named = rule
        named.named = ["1"]
        let disk = stick("nvme0n1p2", 2, exfat("1"), bus: .other)
        func verdict(_ mounts: String) -> MediumRule.Verdict {
            named.verdict(on: disk, MountTable(mounts), SystemDisks(disks: [disk.disk]))
        }
        #expect(verdict("") == .usable(.exfat))
        #expect(isIgnored(verdict(mounted(disk, "/"))))
    }

    @Test(
        "are refused with a word where the file system is one that does not keep recordings safe",
        arguments: ["ntfs", "fuse.exfat", "fuseblk", "hfsplus", "btrfs", "ext2"])
    func refused(_ type: String) {
        let found = verdict(stick("sda1", 1, FileSystemContent(type: type, uuid: "1")))
        guard case .refused(let cause, let mend) = found else {
            Issue.record("\(found)")
            return
        }
        #expect(mend.contains("exFAT") && !cause.isEmpty)
    }

    @Test("have names that every program takes")
    func names() {
        func names(_ label: String, _ uuid: String) -> [String] {
            MediumName.candidates(for: stick("sda1", 1, FileSystemContent(type: "vfat", uuid: uuid, label: label)))
        }
        #expect(names("LECTURES", "1A2B-3C4D") == ["LECTURES", "1A2B-3C4D", "LECTURES-1A2B-3C4D", "sda1"])
        #expect(names("Vorträge 4/5", "1") == ["Vorträge_4_5", "1", "Vorträge_4_5-1", "sda1"])
        #expect(names("..", "") == ["sda1"])
        #expect(names("-rf", "") == ["rf", "sda1"])
        #expect(names("", "1A2B-3C4D") == ["1A2B-3C4D", "sda1"])
    }
}
