import Glibc
import Judges
import Linux
import Media
import Storage
import Testing

extension BoardTests {
    /// Sticks from the moment they are plugged in to the moment they may be pulled, by the kernel's own drivers.
    @Suite("Media for recordings")
    struct MediaTests {
        private let stick = PluggedStick()

        @Test("are found, mounted as their file system wants it, and ejected", arguments: ["vfat", "exfat", "ext4"])
        func life(fileSystem: String) throws {
            let device = try stick.plugIn(fileSystem)
            #expect(device.bus == .usb && device.usbPath != nil && device.byteCount == 256 << 20)
            let known = try Board.shell("blkid -p -s UUID -o value \(device.node)").split(separator: "\n").first
            #expect(device.content?.type == fileSystem && device.content?.uuid == known.map(String.init))
            let folder = try stick.prepare(device)
            #expect(folder == "\(stick.rule.folder)/\(device.content?.uuid ?? "")")
            #expect(stick.runtime.record(of: device.name)?.state == .mounted)
            let options = try stick.mountOptions(folder)
            for option in ["nosuid", "nodev", "noexec", "noatime", "rw"] { #expect(options.contains(option)) }
            #expect(options.contains("flush") == (fileSystem == "vfat"))
            try MediumPlace(folder: folder, number: device.number).verify()
            // It belongs to whom it was to belong.
            var status = stat()
            #expect(stat(folder, &status) == 0 && status.st_uid == 1234)
            // A second preparation finds it done.
            #expect(try stick.prepare(device) == folder)
            try Board.shell("echo kept >\(folder)/kept")
            let open = fopen(folder + "/kept", "r")
            #expect { try stick.removal(of: device).eject() } throws: { ($0 as? Failure)?.kind == .busy }
            #expect(stick.runtime.record(of: device.name)?.state == .mounted)
            if let open { fclose(open) }
            try eject(device, folder, fileSystem)
        }

        private func eject(_ device: BlockDevice, _ folder: String, _ fileSystem: String) throws {
            try stick.removal(of: device).eject()
            #expect(stick.runtime.record(of: device.name)?.state == .ejected)
            #expect(access(folder, F_OK) != 0, "the empty folder is gone")
            #expect { try MediumPlace(folder: folder, number: device.number).verify() } throws: {
                ($0 as? Failure)?.kind == .noMedium
            }
            // Its power is off: the disk is gone before anybody pulls it.
            try Board.shell("for i in $(seq 100); do [ -b \(device.node) ] || exit 0; sleep 0.05; done; exit 1")
            try Board.control("stick", "out")
            try Board.control("stick", "in")
            // A judge that we did not write finds nothing to mend.
            let judge = ["vfat": "fsck.vfat -n", "exfat": "fsck.exfat -n", "ext4": "e2fsck -fn"][fileSystem] ?? ""
            try Board.shell("\(judge) /dev/board/stick")
            let content = try Board.shell("mount -o ro /dev/board/stick /mnt; cat /mnt/kept; umount /mnt")
            #expect(content == "kept\n")
            try Board.control("stick", "out")
        }

        @Test("may have a partition table; the disk around a part of it is no medium")
        func partitioned() throws {
            try Board.control("stick", "in", "blank")
            try Board.shell(
                """
                echo ',,c' | sfdisk -q /dev/board/stick
                disk=$(readlink -f /dev/board/stick)
                for i in $(seq 100); do [ -b ${disk}1 ] && break; sleep 0.05; done
                mkfs.vfat -n LECTURES ${disk}1
                """)
            let disk = try stick.device()
            let part = try #require(try BlockDeviceWatch().list().first { $0.node == disk.node + "1" })
            #expect(disk.isUsed && !part.isUsed && part.disk == disk.number && part.sequence == disk.sequence)
            #expect { _ = try stick.prepare(disk) } throws: { ($0 as? Failure)?.kind == .busy }
            #expect(try stick.prepare(part) == "\(stick.rule.folder)/LECTURES")
            try stick.removal(of: part).eject()
            try Board.control("stick", "out")
        }

        @Test("of one label have each a name of their own")
        func namesakes() throws {
            try Board.control("stick", "in", "vfat")
            try Board.control("stick", "2", "in", "vfat")
            try Board.shell("fatlabel /dev/board/stick SAME; fatlabel /dev/board/stick2 SAME")
            let (one, other) = (try stick.device(), try stick.device("stick2"))
            #expect(try stick.prepare(one) == "\(stick.rule.folder)/SAME")
            #expect(try stick.prepare(other) == "\(stick.rule.folder)/\(other.content?.uuid ?? "")")
            #expect(stick.runtime.record(of: other.name)?.name == other.content?.uuid)
            for device in [one, other] { try stick.removal(of: device).eject() }
            try Board.control("stick", "out")
            try Board.control("stick", "2", "out")
        }

        @Test("that were pulled are let go of, and come back in the same place under another device's name")
        func pulled() throws {
            let device = try stick.plugIn("exfat")
            let folder = try stick.prepare(device)
            try Board.control("stick", "out")
            #expect { try MediumPlace(folder: folder, number: device.number + 1).verify() } throws: {
                ($0 as? Failure)?.kind == .noMedium
            }
            // What is still mounted keeps the name of the device, as the kernel has it.
            try Board.control("stick", "in")
            let again = try stick.device()
            #expect(again.node != device.node && again.sequence != device.sequence)
            #expect(again.content == device.content)
            #expect(try stick.prepare(again) == folder, "what was left of it is cleared away")
            #expect(MountTable.now().entry(at: folder)?.device == again.number)
            #expect(stick.runtime.record(of: device.name) == nil)
            try Board.control("stick", "out")
            MediumRemoval.forget(again.name, stick.rule, stick.runtime)
            #expect(access(folder, F_OK) != 0)
            #expect(stick.runtime.record(of: again.name) == nil)
            #expect(MountTable.now().folders(of: again.number) == [])
        }

        @Test("that are write protected can be looked at only", arguments: ["vfat", "exfat", "ext4"])
        func protected(fileSystem: String) throws {
            _ = try stick.plugIn(fileSystem)
            try Board.control("stick", "protect")
            let device = try stick.device()
            #expect(device.isReadOnly)
            let folder = try stick.prepare(device)
            #expect(try stick.mountOptions(folder).split(separator: ",").contains("ro"))
            #expect(stick.runtime.record(of: device.name)?.isProtected == true)
            try stick.removal(of: device).eject()
            try Board.control("stick", "out")
            try Board.control("stick", "unprotect")
        }

        @Test("that a power cut left dirty are mended first", arguments: ["vfat", "exfat", "ext4"])
        func dirty(fileSystem: String) throws {
            _ = try stick.plugIn(fileSystem)
            try Board.shell("mount /dev/board/stick /mnt; echo a >/mnt/a; sync -f /mnt")
            try Board.control("stick", "out")
            try Board.shell("umount -l /mnt")
            try Board.control("stick", "in")
            let before = try Board.shell("dmesg | wc -l").split(separator: "\n").first.map(String.init) ?? "0"
            let device = try stick.device()
            let folder = try stick.prepare(device)
            #expect(try Board.shell("cat \(folder)/a") == "a\n")
            let said = try Board.shell("dmesg | tail -n +$((\(before) + 1))")
            #expect(!said.contains("not properly unmounted"), "\(said)")
            try stick.removal(of: device).eject()
            try Board.control("stick", "out")
        }

        @Test("that are damaged beyond what mends itself are never written to")
        func damaged() throws {
            let device = try stick.plugIn("ext4")
            // A file's blocks are some other file's: e2fsck wants a person's word for that.
            try Board.shell(
                """
                mount /dev/board/stick /mnt; head -c 100k /dev/urandom >/mnt/a; head -c 100k /dev/urandom >/mnt/b
                umount /mnt
                block=$(debugfs -R 'bmap a 0' /dev/board/stick 2>/dev/null)
                debugfs -w -R "set_inode_field b bmap[0] $block" /dev/board/stick 2>/dev/null
                debugfs -w -R 'set_super_value state 2' /dev/board/stick 2>/dev/null
                """)
            #expect { _ = try stick.prepare(device) } throws: { ($0 as? Failure)?.kind == .mediumFailed }
            let record = try #require(stick.runtime.record(of: device.name))
            #expect(record.state == .failed && record.cause.contains("damaged"))
            #expect(try stick.mountOptions(record.folder).split(separator: ",").contains("ro"))
            MediumRemoval.forget(device.name, stick.rule, stick.runtime)
            try Board.control("stick", "out")
        }

        @Test("are never what the system needs, nor what has no file system that is used")
        func others() throws {
            let blank = try stick.plugIn("blank")
            #expect(blank.content == nil)
            #expect { _ = try stick.prepare(blank) } throws: { ($0 as? Failure)?.kind == .busy }
            try Board.control("stick", "out")
            let device = try stick.plugIn("exfat")
            try Board.shell("mount /dev/board/stick /mnt")
            #expect { _ = try stick.prepare(device) } throws: { ($0 as? Failure)?.kind == .busy }
            try Board.shell("umount /mnt")
            try Board.control("stick", "out")
            let foreign = try stick.plugIn("blank")
            // What NTFS begins with.
            try Board.shell(
                "printf '\\353\\122\\220NTFS    ' | dd of=/dev/board/stick conv=notrunc status=none; "
                    + "printf '\\125\\252' | dd of=/dev/board/stick bs=1 seek=510 conv=notrunc status=none")
            let ntfs = try stick.device()
            #expect(foreign.node == ntfs.node && ntfs.content?.type == "ntfs")
            #expect { _ = try stick.prepare(ntfs) } throws: { ($0 as? Failure)?.kind == .mediumFailed }
            #expect(stick.runtime.record(of: ntfs.name)?.cause.contains("NTFS") == true)
            try Board.control("stick", "out")
        }
    }
}
