import Glibc
import Judges
import Testing

/// The virtual board seen from the machine that it runs on: each of these boots boards.
@Suite(
    "The virtual board from outside", .serialized,
    .enabled(
        if: getenv("KINEBOX_MAY_BOOT") != nil, "these boot virtual boards, which have to be built: tools/test does both"
    ))
struct OutsideTests {
    private static let checkout = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
    private static let tool = "\(checkout)/tools/virtual-board"

    /// A folder that is looked at afterwards: what a board leaves behind would be there.
    private struct Folder: ~Copyable {
        let path = "/tmp/board-tests-\(getpid())-\(UInt32.random(in: 0 ... .max))"

        init() { mkdir(path, 0o700) }
        deinit { _ = try? Board.run("rm", "-rf", path) }

        func content() throws -> String { try Board.run("ls", "-A", path).text }

        /// Processes of boards whose files are here, and mounts of theirs.
        func left() throws -> String {
            try Board.run(
                "bash", "-c",
                "cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' '\\n' | grep uml_di[r]=\(path); grep -F \(path) /proc/mounts"
            ).text
        }
    }

    /// Starts `tools/virtual-board`, with `folder` for what it keeps while it runs.
    private func start(_ words: [String], in folder: borrowing Folder) throws -> ChildProcess {
        try ChildProcess(Self.tool, words, environment: ["TMPDIR=\(folder.path)"])
    }

    /// Runs lines of shell on a board.
    private func shell(_ lines: String, _ options: String..., in folder: borrowing Folder) throws -> Ending {
        try start(["run", "--limit", "100"] + options + ["--", "bash", "-c", lines], in: folder).wait(atMost: 120)
    }

    @Test("the command's output, errors and exit code come through, byte by byte")
    func passesThrough() throws {
        let folder = Folder()
        let ending = try shell(#"printf 'a\r\nb\0c'; echo woe >&2; exit 7"#, in: folder)
        #expect(ending.exitCode == 7)
        #expect(ending.output == Array("a\r\nb\0c".utf8))
        #expect(ending.errors == "woe\n")
        #expect(try shell("head -c 3000000 /dev/zero", in: folder).output.count == 3_000_000)
    }

    @Test("twenty boots in a row succeed and leave nothing behind")
    func twenty() throws {
        let folder = Folder()
        for _ in 0..<20 {
            let ending = try shell("uname -r", in: folder)
            #expect(ending.exitCode == 0 && ending.text.hasSuffix("-kinebox\n"), "\(ending)")
        }
        #expect(try folder.content() == "")
        #expect(try folder.left() == "")
    }

    @Test("two boards at once do not disturb each other")
    func two() throws {
        let folder = Folder()
        let script = """
            boardctl hdmi on $0; echo $0 >/tmp/mine; sleep 2; cat /tmp/mine
            v4l2-ctl -d /dev/board/hdmi --query-dv-timings | grep -o 'Active width: .*'
            """
        let one = try start(["run", "--", "bash", "-c", script, "1920x1080@30"], in: folder)
        let other = try start(["run", "--", "bash", "-c", script, "640x480@59"], in: folder)
        let (oneEnding, otherEnding) = (one.wait(atMost: 60), other.wait(atMost: 60))
        #expect(oneEnding.text == "1920x1080@30\nActive width: 1920\n", "\(oneEnding)")
        #expect(otherEnding.text == "640x480@59\nActive width: 640\n", "\(otherEnding)")
        #expect(try folder.content() == "")
        #expect(try folder.left() == "")
    }

    @Test("a command that never ends is ended by the limit, with all that it started")
    func limit() throws {
        let folder = Folder()
        let ending = try start(
            ["run", "--limit", "6", "--", "bash", "-c", "trap '' TERM HUP INT; sleep 999 & echo begun; wait"],
            in: folder
        ).wait(atMost: 60)
        #expect(ending.exitCode == 124)
        #expect(ending.text == "begun\n")
        #expect(ending.errors.contains("the limit of 6 s was reached"))
        #expect(try folder.content() == "")
        #expect(try folder.left() == "")
    }

    @Test("a board whose tool is ended goes with it", arguments: [SIGTERM, SIGINT, SIGHUP, SIGKILL])
    func ended(signal: Int32) throws {
        let folder = Folder()
        let running = try start(["run", "--", "bash", "-c", "echo begun; sleep 999"], in: folder)
        while running.isRunning, running.outputSoFar.isEmpty { usleep(50_000) }
        #expect(try folder.left() != "")
        running.send(signal)
        let ending = running.wait(atMost: 20)
        // Who is killed cannot tidy up; but the board is gone all the same.
        if signal == SIGKILL {
            #expect(ending.signal == SIGKILL)
            for _ in 0..<50 where try folder.left() != "" { usleep(20_000) }
        } else {
            #expect(ending.exitCode == 128 + signal)
            #expect(try folder.content() == "")
        }
        #expect(try folder.left() == "")
    }

    @Test("the host's files cannot be written, but for a folder that is shared")
    func shares() throws {
        let folder = Folder()
        let shared = Folder()
        let lost = "\(Self.checkout)/lost"
        let ending = try shell(
            "echo kept >\(shared.path)/kept; echo lost >\(lost); cat \(lost)", "--share", shared.path, in: folder)
        #expect(ending.exitCode == 0 && ending.text == "lost\n", "\(ending)")
        #expect(try Board.run("cat", "\(shared.path)/kept").text == "kept\n")
        #expect(access(lost, F_OK) != 0)
    }

    @Test("with systemd as process 1, a service runs and its end is known")
    func systemd() throws {
        let folder = Folder()
        let ending = try shell(
            "cat /proc/1/comm; systemd-run -q --wait -p MemoryMax=50M false; echo $?; udevadm settle; echo $?",
            "--systemd", in: folder)
        #expect(ending.text == "systemd\n1\n0\n", "\(ending)")
    }

    @Test("after a power cut each file that was flushed is whole", arguments: ["vfat", "exfat", "ext4"])
    func powerCut(fileSystem: String) throws {
        let folder = Folder()
        let disks = Folder()
        let disk = "\(disks.path)/disk"
        let made = try Board.run(
            "bash", "-c", "truncate -s 128M \(disk); PATH=$PATH:/usr/sbin:/sbin mkfs.\(fileSystem) \(disk)")
        #expect(made.exitCode == 0, "\(made)")
        let writing = """
            mount /dev/board/disk0 /mnt
            for ((i = 0; ; i++)); do
                yes "take $i" | head -c 1000000 | dd of=/mnt/take$i bs=64k iflag=fullblock conv=fsync 2>/dev/null
                echo saved $i
            done
            """
        let cut = try start(
            ["power-cut", "--disk", disk, "--when", "saved 9", "--delay", "0.07", "--", "bash", "-c", writing],
            in: folder
        ).wait(atMost: 60)
        #expect(cut.exitCode == 0, "\(cut)")
        #expect(cut.text == (0..<10).map { "saved \($0)\n" }.joined())
        let reading = """
            mount /dev/board/disk0 /mnt
            for ((i = 0; i < 10; i++)); do yes "take $i" | head -c 1000000 | cmp - /mnt/take$i && echo whole $i; done
            """
        let read = try shell(reading, "--disk", disk, in: folder)
        #expect(read.text == (0..<10).map { "whole \($0)\n" }.joined(), "\(read)")
        let never = try start(["power-cut", "--disk", disk, "--when", "saved", "--", "true"], in: folder)
        #expect(never.wait(atMost: 60).exitCode == 1)
    }
}
