import Judges
import Testing

extension SystemTests {
    /// `tools/install` and `tools/uninstall`, on the board and for a board's image.
    @Suite("Installing", .serialized) struct InstallTests {
        /// All files and links in a folder, but for what systemd itself keeps.
        private func files(in root: String) throws -> [Substring] {
            try Board.shell(
                """
                cd \(root) && find . ! -type d ! -regex './etc/\\.?\\(passwd\\|group\\|shadow\\|gshadow\\|pwd\\)[.a-z-]*' \
                    ! -path './var/lib/systemd*' | sort
                """
            ).split(separator: "\n")
        }

        @Test("into an image: all is in its place, enabled, and goes again but for the configuration")
        func image() throws {
            let root = "/tmp/image"
            try Board.shell("mkdir -p \(root)/{etc,media,run,usr/{bin,share/doc,lib/{systemd,udev/rules.d}},var/lib}")
            let before = try files(in: root)
            try InstalledRecorder.install("--root", root, "--board", "raspberry-pi-4")
            let installed = try files(in: root)
            for path in [
                "./usr/bin/kinebox", "./usr/bin/kineboxd", "./usr/lib/systemd/system/kinebox.service",
                "./usr/libexec/kinebox/kinebox-kms", "./usr/lib/systemd/system/kinebox-kms.service",
                "./etc/systemd/system/sockets.target.wants/kinebox-kms.socket",
                "./usr/lib/udev/rules.d/60-kinebox.rules", "./usr/lib/sysusers.d/kinebox.conf",
                "./usr/lib/tmpfiles.d/kinebox.conf", "./usr/lib/systemd/catalog/kinebox.catalog",
                "./usr/share/kinebox/edid/1080p60.txt", "./etc/kinebox/kinebox.conf",
                "./etc/systemd/system/multi-user.target.wants/kinebox.service",
                "./etc/systemd/system/sockets.target.wants/kinebox.socket",
            ] {
                #expect(installed.contains { $0 == path }, "\(path)")
            }
            try Board.shell(
                """
                cmp \(root)/etc/kinebox/kinebox.conf \(InstalledRecorder.file("board/raspberry-pi-4/kinebox.conf"))
                grep -q ^kinebox: \(root)/etc/passwd
                [ ! -e /usr/bin/kinebox ]
                """)
            try InstalledRecorder.uninstall("--root", root)
            #expect(try files(in: root) == before + ["./etc/kinebox/kinebox.conf"])
            try InstalledRecorder.uninstall("--root", root, "--purge")
            #expect(try files(in: root) == before)
            #expect(try Board.run("grep", "^kinebox:", "\(root)/etc/passwd").exitCode == 1)
        }

        @Test("twice is as good as once; what the person wrote stays, and what an older version had goes")
        func twice() throws {
            try InstalledRecorder.install("--no-start")
            let once = try Board.shell(
                "sort /usr/share/kinebox/installed | tee /tmp/once; md5sum $(</tmp/once) >/tmp/sums")
            try Board.shell(
                """
                echo '# mine' >>/etc/kinebox/kinebox.conf
                touch /usr/share/kinebox/old; echo /usr/share/kinebox/old >>/usr/share/kinebox/installed
                """)
            try InstalledRecorder.install("--no-start")
            #expect(try Board.shell("sort /usr/share/kinebox/installed") == once)
            try Board.shell("md5sum --quiet -c /tmp/sums; tail -n 1 /etc/kinebox/kinebox.conf | grep -q mine")
            try Board.shell("[ ! -e /usr/share/kinebox/old ] && [ -z \"$(compgen -G '/usr/bin/*.new' || true)\" ]")
            try InstalledRecorder.uninstall("--purge")
            try Board.shell(
                "while read -r path; do [ ! -e $path ]; done </tmp/once; [ ! -e /etc/kinebox ]")
        }

        @Test("the units are whole, in systemd's own judgement")
        func units() throws {
            try InstalledRecorder.install("--no-start")
            let judged = try Board.run(
                "bash", "-c",
                "systemd-analyze verify --man=no $(grep /system/.*[a-z].service$ /usr/share/kinebox/installed)")
            #expect(judged.exitCode == 0 && judged.errors == "", "\(judged)")
            try InstalledRecorder.uninstall("--purge")
        }

        @Test("the journal explains an entry of the recorder's")
        func catalog() throws {
            try InstalledRecorder.install("--no-start")
            try Board.shell(
                """
                printf 'MESSAGE=ended\\nMESSAGE_ID=04a679cb4e02488e957ffbf83547fdc7\\nKINEBOX_FRAMES=77\\n' |
                    logger --journald
                journalctl --sync
                """)
            let shown = try Board.shell("journalctl --no-pager -x MESSAGE_ID=04a679cb4e02488e957ffbf83547fdc7")
            #expect(shown.contains("Subject: A recording has ended") && shown.contains("77 pictures"), "\(shown)")
            try InstalledRecorder.uninstall("--purge")
        }

        @Test("a wrong call is refused with what helps, and changes nothing")
        func wrong() throws {
            let tool = InstalledRecorder.file("tools/install")
            let option = try Board.run(tool, "--rot", "/x")
            #expect(option.exitCode == 2 && option.errors.contains("--rot"))
            let board = try Board.run(tool, "--board", "toaster")
            #expect(board.exitCode == 1 && board.errors.contains("raspberry-pi-4"))
            let root = try Board.run(tool, "--root", "/nowhere", "--program", "/bin/true")
            #expect(root.exitCode == 1 && root.errors.contains("/nowhere"))
            try Board.shell("[ ! -e /usr/bin/kinebox ]")
        }
    }
}
