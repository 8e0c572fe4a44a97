import Glibc
import Judges
import Testing

extension SystemTests {
    /// The board itself under systemd: nothing but journal and udev is begun, and services are held to what they may.
    @Suite("The board under systemd") struct SystemBoardTests {
        @Test("no service of this machine runs but journal, udev and what was asked for")
        func few() throws {
            let running = try Board.shell(
                "systemctl list-units --type=service --state=running --plain --no-legend | cut -d' ' -f1")
            let expected = [
                "board-command.service", "dbus.service", "systemd-journald.service", "systemd-udevd.service",
            ]
            #expect(running.split(separator: "\n").allSatisfy { expected.contains(String($0)) }, "\(running)")
            #expect(try Board.run("systemctl", "is-system-running").text == "running\n")
            #expect(try Board.shell("systemctl list-timers --all --no-legend") == "")
        }

        @Test("udev knows a stick by its file system's UUID, and that it is gone")
        func stick() throws {
            try Board.control("stick", "in", "vfat")
            try Board.shell("udevadm settle; udevadm info -q property /dev/board/stick | grep -q ^ID_FS_UUID=")
            try Board.control("stick", "out")
            try Board.shell("udevadm settle; [ ! -e /dev/disk/by-id/usb-Linux_File-Stor_Gadget_KINEBOX1-0:0 ]")
        }

        @Test(
            "a service reaches the devices that it is given, and no other",
            .enabled(
                if: access("/sys/fs/cgroup/devices", F_OK) == 0,
                "this systemd leaves that to a part of the kernel that the board has not"))
        func devices() throws {
            let tried = try Board.run(
                "systemd-run", "-q", "--wait", "--pipe", "-p", "DevicePolicy=closed", "-p",
                "DeviceAllow=char-video4linux rw", "bash", "-c", ": </dev/video0 && echo video; : </dev/snd/controlC0")
            #expect(tried.exitCode == 1 && tried.text == "video\n", "\(tried)")
        }

        @Test("what a service says is in the journal")
        func journal() throws {
            try Board.shell("systemd-run -q --wait --unit=speaker echo a word")
            #expect(try Board.shell("journalctl -b -u speaker -o cat --no-pager").contains("a word\n"))
        }
    }
}
