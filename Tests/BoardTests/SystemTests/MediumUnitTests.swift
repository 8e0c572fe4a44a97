import Judges
import Testing

extension SystemTests {
    /// udev and systemd do with a medium what the recorder itself may not.
    @Suite("Media and their units", .serialized) struct MediumUnitTests {
        @Test(
            "a stick that is plugged in is checked, mounted for the recorder's user, and let go of when it is pulled",
            arguments: ["vfat", "exfat", "ext4"])
        func pluggedAndPulled(fileSystem: String) throws {
            try InstalledRecorder.install("--no-start")
            try Board.control("stick", "in", fileSystem)
            try Board.until("grep -q ' /media/kinebox/' /proc/mounts && grep -qx state=mounted /run/kinebox/media/sda")
            try Board.shell(
                """
                folder=$(sed -n 's/^folder=//p' /run/kinebox/media/sda)
                setpriv --reuid=kinebox --regid=kinebox --clear-groups touch "$folder/kept"
                [ "$(stat -c %U "$folder/kept")" = kinebox ]
                """)
            try Board.control("stick", "out")
            try Board.until("! grep -q ' /media/kinebox/' /proc/mounts && [ -z \"$(ls /media/kinebox)\" ]")
            try Board.until("[ -z \"$(systemctl list-units -q --state=active 'kinebox-mount@*')\" ]")
            #expect(try Board.shell("systemctl --failed -q") == "")
            try InstalledRecorder.uninstall("--purge")
        }

        @Test(
            "what the recorder wishes off is off: unmounted, said to be so, and mounted again when it is plugged in again"
        )
        func ejected() throws {
            try InstalledRecorder.install("--no-start")
            try Board.control("stick", "in", "exfat")
            try Board.until("grep -qsx state=mounted /run/kinebox/media/sda")
            try Board.shell("setpriv --reuid=kinebox --regid=kinebox --clear-groups touch /run/kinebox/eject/sda")
            try Board.until("grep -qsx state=ejected /run/kinebox/media/sda")
            try Board.shell("[ -z \"$(grep ' /media/kinebox/' /proc/mounts)\" ]; [ ! -e /run/kinebox/eject/sda ]")
            try Board.control("stick", "out")
            try Board.control("stick", "in")
            try Board.until("grep -qsx state=mounted /run/kinebox/media/sda")
            try Board.control("stick", "out")
            try InstalledRecorder.uninstall("--purge")
        }

        @Test("one with an open file on it stays, and it is said why; what was kept is in the same place afterwards")
        func busy() throws {
            try InstalledRecorder.install("--no-start")
            try Board.control("stick", "in", "ext4")
            try Board.until("grep -qsx state=mounted /run/kinebox/media/sda")
            let folder = "$(sed -n 's/^folder=//p' /run/kinebox/media/sda)"
            try Board.shell("echo kept >\(folder)/kept; echo \(folder) >/run/board/folder")
            let holder = try Board.start("exec sleep 1000 >\(folder)/open")
            try Board.until("[ -e \(folder)/open ]")
            let wish = "setpriv --reuid=kinebox --regid=kinebox --clear-groups touch /run/kinebox/eject/sda"
            try Board.shell(wish)
            try Board.until("grep -qs '^cause=a program' /run/kinebox/media/sda && ! [ -e /run/kinebox/eject/sda ]")
            try Board.shell("findmnt -n $(</run/board/folder); [ -z \"$(systemctl --failed -q)\" ]")
            holder.send(15)
            _ = holder.wait()
            try Board.shell(wish)
            try Board.until("grep -qsx state=ejected /run/kinebox/media/sda && ! [ -b /dev/sda ]")
            try Board.control("stick", "out")
            try Board.control("stick", "in")
            try Board.until("grep -qs kept $(</run/board/folder)/kept")
            try Board.control("stick", "out")
            try InstalledRecorder.uninstall("--purge")
        }

        @Test("one that is there when the recorder is installed is taken as well")
        func already() throws {
            try Board.control("stick", "in", "vfat")
            try InstalledRecorder.install("--no-start")
            try Board.shell("udevadm trigger --action=change --subsystem-match=block --settle")
            try Board.until("grep -qsx state=mounted /run/kinebox/media/sda")
            try Board.control("stick", "out")
            try InstalledRecorder.uninstall("--purge")
        }

        @Test("one with a file system that is not used is refused with a word")
        func refused() throws {
            try InstalledRecorder.install("--no-start")
            try Board.control("stick", "in", "blank")
            try Board.control("stick", "out")
            try Board.shell("mkfs.ext3 -q /dev/mapper/stick")
            try Board.control("stick", "in")
            try Board.until("grep -qsx state=failed /run/kinebox/media/sda")
            try Board.shell("grep 'cause=.*ext3' /run/kinebox/media/sda; grep mend=.*exFAT /run/kinebox/media/sda")
            try Board.control("stick", "out")
            try Board.shell("systemctl reset-failed")
            try InstalledRecorder.uninstall("--purge")
        }

        @Test("the units are whole, in systemd's own judgement")
        func units() throws {
            try InstalledRecorder.install("--no-start")
            let judged = try Board.run(
                "bash", "-c",
                "cd /usr/lib/systemd/system && systemd-analyze verify --man=no kinebox-mount@sda1.service "
                    + "kinebox-eject@sda1.service kinebox-eject@sda1.path")
            #expect(judged.exitCode == 0 && judged.errors == "", "\(judged)")
            try InstalledRecorder.uninstall("--purge")
        }

        @Test("nobody but the recorder's user may wish a medium off, and nobody but root tells of media")
        func rights() throws {
            try InstalledRecorder.install("--no-start")
            let nobody = "setpriv --reuid=65534 --regid=65534 --clear-groups"
            let recorder = "setpriv --reuid=kinebox --regid=kinebox --clear-groups"
            for forbidden in [
                "\(nobody) touch /run/kinebox/eject/sda", "\(recorder) touch /run/kinebox/media/sda",
                "\(recorder) touch /media/kinebox/x", "\(recorder) mv /run/kinebox/media /run/kinebox/eject/",
            ] {
                #expect(try Board.run("bash", "-c", forbidden).exitCode != 0, "\(forbidden)")
            }
            try InstalledRecorder.uninstall("--purge")
        }
    }
}
