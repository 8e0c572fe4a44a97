import Judges
import Testing

extension BoardTests {
    @Suite("USB sticks and disks")
    struct StickTests {
        @Test(
            "a stick pulled in the middle of a write ends in EIO, and can be put in again",
            arguments: ["vfat", "exfat", "ext4"])
        func pull(fileSystem: String) throws {
            try Board.control("stick", "in", fileSystem)
            try Board.shell("mount /dev/board/stick /mnt; echo kept >/mnt/kept; sync -f /mnt")
            let writing = try Board.start("exec dd if=/dev/zero of=/mnt/take bs=64k oflag=dsync")
            try Board.shell("until [ -s /mnt/take ]; do sleep 0.02; done")
            try Board.control("stick", "out")
            let ending = writing.wait(atMost: 30)
            #expect(ending.exitCode == 1)
            // Which of the two depends on how far the write had come.
            #expect(ending.errors.contains("Input/output error") || ending.errors.contains("No such device"))
            try Board.shell("umount -l /mnt; [ ! -e /dev/board/stick ]")
            try Board.control("stick", "in")
            let content = try Board.shell("mount /dev/board/stick /mnt; cat /mnt/kept; umount /mnt")
            #expect(content == "kept\n")
            try Board.control("stick", "out")
        }

        @Test("a protected stick refuses to be written, and does not once it is unprotected")
        func protect() throws {
            try Board.control("stick", "in", "vfat")
            try Board.control("stick", "protect")
            let refused = try Board.run(
                "bash", "-c", "mount /dev/board/stick /mnt; touch /mnt/x; code=$?; umount /mnt; exit $code")
            #expect(refused.exitCode != 0 && refused.errors.contains("Read-only file system"))
            try Board.control("stick", "unprotect")
            try Board.shell("mount /dev/board/stick /mnt; touch /mnt/x; umount /mnt")
            try Board.control("stick", "out")
        }

        @Test("a full stick says so", arguments: ["vfat", "exfat", "ext4"])
        func fill(fileSystem: String) throws {
            try Board.control("stick", "in", fileSystem, "64M")
            try Board.control("stick", "fill", "1M")
            let full = try Board.run(
                "bash", "-c",
                "mount /dev/board/stick /mnt; head -c 4M /dev/zero >/mnt/x; code=$?; umount /mnt; exit $code")
            #expect(full.exitCode == 1 && full.errors.contains("No space left on device"))
            try Board.control("stick", "out")
        }

        @Test("a slow stick takes longer, a failing one gives EIO, and a good one is good again")
        func faults() throws {
            func write() throws -> Ending {
                try Board.run("bash", "-c", "time dd if=/dev/zero of=/mnt/x bs=64k count=2 oflag=dsync")
            }
            func seconds(_ ending: Ending) -> Double {
                let word = ending.errors.split(separator: "\n").first { $0.hasPrefix("real") }?.split(separator: "m")
                    .last
                return Double(word?.dropLast() ?? "") ?? 0
            }
            try Board.control("stick", "in", "ext4")
            try Board.shell("mount /dev/board/stick /mnt")
            let good = try write()
            try Board.control("stick", "slow", "500")
            let slow = try write()
            #expect(good.exitCode == 0 && slow.exitCode == 0)
            #expect(seconds(slow) > seconds(good) + 1)
            try Board.control("stick", "fail")
            let failed = try write()
            #expect(failed.exitCode == 1 && failed.errors.contains("Input/output error"))
            try Board.shell("umount /mnt")
            try Board.control("stick", "good")
            try Board.shell("mount /dev/board/stick /mnt")
            #expect(try write().exitCode == 0)
            try Board.shell("umount /mnt")
            try Board.control("stick", "out")
        }

        @Test("there are two sockets")
        func two() throws {
            try Board.control("stick", "in", "vfat", "32M")
            try Board.control("stick", "2", "in", "ext4", "48M")
            let sizes = try Board.shell("blockdev --getsize64 /dev/board/stick /dev/board/stick2")
            #expect(sizes == "\(32 << 20)\n\(48 << 20)\n")
            try Board.control("stick", "2", "out")
            try Board.shell("[ -b /dev/board/stick ] && [ ! -e /dev/board/stick2 ]")
            try Board.control("stick", "out")
        }

        @Test("a disk can lose writes without a word")
        func drop() throws {
            try Board.control("disk", "lossy", "make", "16M")
            let write = "dd if=/dev/urandom of=/dev/board/lossy bs=4k count=1 oflag=direct"
            let read = "dd if=/dev/board/lossy bs=4k count=1 iflag=direct | sha256sum"
            try Board.shell(write)
            let before = try Board.shell(read)
            try Board.control("disk", "lossy", "drop")
            try Board.shell(write)
            try Board.control("disk", "lossy", "good")
            #expect(try Board.shell(read) == before)
            try Board.shell(write)
            #expect(try Board.shell(read) != before)
            try Board.control("disk", "lossy", "remove")
        }

        @Test(
            "the other disks that fail and remember are there",
            arguments: ["flakey", "delay", "dust", "log-writes", "snapshot"])
        func targets(name: String) throws {
            #expect(try Board.shell("dmsetup targets").contains("\(name) "))
        }

        @Test("a SCSI disk of the kernel's own comes and goes")
        func scsi() throws {
            try Board.shell(
                "modprobe scsi_debug dev_size_mb=16 add_host=1; until grep -qs scsi_debug /sys/block/sd*/device/model; do sleep 0.1; done"
            )
            try Board.shell("rmmod scsi_debug; ! grep -qs scsi_debug /sys/block/sd*/device/model")
        }

        @Test("the issue of a flush and its end can be seen with their times")
        func flushSeen() throws {
            try Board.control("disk", "seen", "make", "16M")
            let trace = try Board.shell(
                """
                cd /sys/kernel/tracing; echo mono >trace_clock
                for event in block_bio_queue block_bio_complete; do echo 1 >events/block/$event/enable; done
                dd if=/dev/zero of=/dev/board/seen bs=4k count=1 conv=fsync 2>/dev/null
                for event in block_bio_queue block_bio_complete; do echo 0 >events/block/$event/enable; done
                cat trace
                """)
            #expect(trace.split(separator: "\n").contains { $0.contains("block_bio_queue:") && $0.contains(" F") })
            #expect(trace.contains("block_bio_complete:"))
            try Board.control("disk", "seen", "remove")
        }
    }
}
