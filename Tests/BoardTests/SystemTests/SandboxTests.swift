import Judges
import Testing

extension SystemTests {
    /// The recorder's unit lets it do what it needs, and nothing else.
    @Suite("What the recorder's service may do", .serialized) struct SandboxTests {
        @Test("systemd's own analysis gives it 1.5 or better")
        func exposure() throws {
            let judged = try Board.run(
                "systemd-analyze", "security", "--offline=yes", "--threshold=15", "--no-pager",
                InstalledRecorder.file("systemd/kinebox.service"))
            #expect(judged.exitCode == 0, "\(judged)")
        }

        @Test("and the program that may read screens 1.2 or better")
        func exposureOfScreens() throws {
            let judged = try Board.run(
                "systemd-analyze", "security", "--offline=yes", "--threshold=12", "--no-pager",
                InstalledRecorder.file("systemd/kinebox-kms.service"))
            #expect(judged.exitCode == 0, "\(judged)")
        }

        /// Lines of Python that make a page of memory for devices, by a heap's DMA_HEAP_IOCTL_ALLOC.
        private static let heap = """
            import fcntl, os, struct
            request = struct.pack("QIIQ", 4096, 0, os.O_RDWR | os.O_CLOEXEC, 0)
            fcntl.ioctl(os.open("/dev/dma_heap/system", os.O_RDONLY), 0xC0184800, request)
            """

        @Test("it reaches the devices and places that a recorder uses, as a user who is not root")
        func allowed() throws {
            try InstalledRecorder.install("--no-start")
            try Board.shell("cat >/run/board/heap.py <<'LINES'\n\(Self.heap)\nLINES")
            let tried = try InstalledRecorder.standIn(
                """
                may() { local name=$1; shift; if (eval "$*") 2>/dev/null; then echo "may $name"; else echo "may not $name"; fi; }
                may use-cameras ': <>/dev/video0'
                may use-sound ': <>/dev/snd/controlC0'
                may read-keys ': </dev/input/event0'
                may use-lines ': <>/dev/gpiochip0'
                may wish-ejection '>/run/kinebox/eject/sda && rm /run/kinebox/eject/sda'
                may make-memory '/usr/bin/python3 /run/board/heap.py'
                may share-memory ': <>/dev/udmabuf'
                may remember '>$STATE_DIRECTORY/x && rm $STATE_DIRECTORY/x'
                may ask-the-clock 'perl -e "\\$x = chr(0) x 208; exit(syscall(159, \\$x) < 0)"'
                cd /sys/class/leds/red:record
                may set-lights 'echo 0 >brightness && echo pattern >trigger'
                for attempt in {1..50}; do [ -w repeat ] && break; sleep 0.1; done
                may set-patterns 'echo "1 100 1 0 0 100 0 0" >pattern && echo 3 >repeat'
                may make-dark 'echo none >trigger'
                id -un
                """)
            #expect(!tried.contains("may not"), "\(tried)")
            #expect(tried.contains("may make-dark") && tried.contains("kinebox"), "\(tried)")
            try InstalledRecorder.uninstall("--purge")
        }

        @Test("it writes to a medium that is mounted while it runs, and sees it go")
        func medium() throws {
            try InstalledRecorder.install("--no-start")
            try Board.control("stick", "in", "ext4")
            let seen = try InstalledRecorder.standIn(
                """
                until touch /media/kinebox/stick/x 2>/dev/null; do sleep 0.05; done
                echo written
                until [ ! -e /media/kinebox/stick/x ]; do sleep 0.05; done
                echo gone
                touch /media/kinebox/stick/y 2>/dev/null || echo "not into the empty place"
                """,
                during: {
                    try Board.shell(
                        """
                        mkdir -p /media/kinebox/stick
                        mount /dev/board/stick /media/kinebox/stick
                        chown kinebox /media/kinebox/stick
                        until [ -e /media/kinebox/stick/x ]; do sleep 0.05; done
                        umount /media/kinebox/stick
                        """)
                })
            #expect(seen.contains("written\ngone\nnot into the empty place\n"), "\(seen)")
            try Board.control("stick", "out")
            try InstalledRecorder.uninstall("--purge")
        }

        @Test("nothing else is open to it: no file of the system, no home, no network, no disk, no other process")
        func forbidden() throws {
            try InstalledRecorder.install("--no-start")
            let tried = try InstalledRecorder.standIn(
                """
                may() { local name=$1; shift; if (eval "$*") 2>/dev/null; then echo "may $name"; else echo "may not $name"; fi; }
                may write-configuration '>>/etc/kinebox/kinebox.conf'
                may write-system '>/usr/x || >/etc/x || >/opt/x || >/run/x || >/run/kinebox/x || >/media/kinebox/x'
                may see-other-processes '[ -e /proc/1/comm ]'
                may use-disks ': </dev/ubda || : </dev/loop0'
                may use-kernel-log ': </dev/kmsg'
                may use-screens ': <>/dev/dri/card0'
                may use-network ': </dev/tcp/127.0.0.1/22; [ $? = 0 ]; perl -MSocket -e "socket(S, PF_INET, SOCK_STREAM, 0) or exit 1"'
                may set-clock 'date -s 2020-01-01'
                may mount 'mount -t tmpfs none /media/kinebox'
                may make-namespaces 'unshare -U true'
                may become-root 'setpriv --reuid=0 true'
                may write-kernel-settings 'echo 1 >/proc/sys/kernel/printk'
                """)
            #expect(
                tried.split(separator: "\n").filter { $0.hasPrefix("may ") && !$0.hasPrefix("may not ") } == [],
                "\(tried)")
            #expect(tried.split(separator: "\n").filter { $0.hasPrefix("may not ") }.count == 12, "\(tried)")
            try InstalledRecorder.uninstall("--purge")
        }
    }
}
