import Testing

@testable import Storage

@Suite("What is mounted")
struct MountTableTests {
    private let text = """
        22 1 179:2 / / rw,noatime shared:1 - ext4 /dev/mmcblk0p2 rw,errors=remount-ro
        30 22 179:1 / /boot/firmware rw shared:2 - vfat /dev/mmcblk0p1 rw
        40 22 8:1 / /media/kinebox/MY\\040STICK rw,nosuid - exfat /dev/sda1 rw,errors=remount-ro
        41 22 8:17 / /media/kinebox/b rw - ext4 /dev/sdb1 rw,emergency_ro
        42 22 0:44 / /run rw shared:5 - tmpfs tmpfs rw
        a line of no meaning
        43 22 8:33 / /media/kinebox/b ro - vfat /dev/sdc1 rw
        """

    @Test("is read from the kernel's lines, with their escapes")
    func read() {
        let table = MountTable(text)
        #expect(table.entries.count == 6)
        #expect(table.folders(of: DeviceNumber.make(8, 1)) == ["/media/kinebox/MY STICK"])
        #expect(table.entry(at: "/media/kinebox/MY STICK")?.isReadOnly == false)
        #expect(table.entry(at: "/media/kinebox/b")?.source == "/dev/sdc1", "what is mounted last is seen")
        #expect(table.entries[3].isReadOnly && table.entries[5].isReadOnly)
    }

    @Test("is so on this machine: there is a root")
    func now() {
        #expect(MountTable.now().entry(at: "/") != nil)
        let system = SystemDisks.found(.now(), butNot: "/media/kinebox")
        #expect(!system.disks.isEmpty)
    }

    @Test(
        "has devices with the numbers that stat gives",
        arguments: [(8, 1, 0x801), (259, 7, 0x1_0307), (8, 300, 0x10_082C)])
    func number(_ major: UInt64, _ minor: UInt64, _ number: UInt64) {
        #expect(DeviceNumber.make(major, minor) == number)
    }
}
