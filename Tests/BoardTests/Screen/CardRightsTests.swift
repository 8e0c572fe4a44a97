import Glibc
import Judges
import KMS
import Linux
import Media
import Testing

extension BoardTests {
    /// What a reader does with less: each in a process of its own, which is this program under another one that takes
    /// something away.
    @Suite("A screen's reader with less")
    struct CardRightsTests {
        private static let part = "KINEBOX_SCREEN_PART"
        private static func isPart(_ name: String) -> Bool { getenv(part).map { String(cString: $0) == name } ?? false }

        /// Runs the test of this suite that is the part, under a program that takes something away.
        private func run(_ name: String, under program: String, _ words: [String]) throws {
            let own = try #require(CommandLine.arguments.first)
            let ending = try ChildProcess(
                program, words + [own, "--testing-library", "swift-testing", "--filter", "CardRightsTests/\(name)"],
                environment: ["\(Self.part)=\(name)"]
            ).wait(atMost: 120)
            #expect(ending.exitCode == 0, "\(ending)")
            #expect(ending.errors.contains("with 1 test"), "\(ending)")
        }

        @Test("without CAP_SYS_ADMIN it is refused in a sentence that says what helps")
        func withoutRights() throws {
            try Board.control("screen", "show", "640x480")
            try run(
                "refusedWithoutRights", under: "setpriv", ["--bounding-set", "-sys_admin", "--inh-caps", "-sys_admin"])
            let screens = ScreenList.all()
            #expect(screens.map(\.connector) == ["Virtual-1"])
            guard case .lit(let mode?) = screens.first?.state else {
                Issue.record("\(screens)")
                return
            }
            #expect([mode.width, mode.height] == [640, 480])
            try Board.control("screen", "stop")
        }

        @Test("part of the test before", .enabled(if: isPart("refusedWithoutRights")))
        func refusedWithoutRights() throws {
            #expect(!CardReader.mayRead)
            do {
                _ = try CardReader(connector: "Virtual-1")
                Issue.record("it may read")
            } catch {
                #expect(error.kind == .noSource)
                #expect(error.thing == "cannot read the screen of Virtual-1")
                #expect(error.mend.contains("systemctl start kinebox-kms.socket"))
            }
        }

        /// Lines of Python that commit nothing, which is what a writeback begins with as well: by an open file of their own, as
        /// the master where no other is, and print how that ended. The kernel looks who asks before it looks for what.
        private static let commit = """
            import fcntl, os, struct
            card = os.open("/dev/board/screen", os.O_RDWR)
            try:
                fcntl.ioctl(card, 0x641E)  # DRM_IOCTL_SET_MASTER
                print("master")
            except OSError:
                print("not master")
            for capability in (3, 5):  # DRM_CLIENT_CAP_ATOMIC, _WRITEBACK_CONNECTORS
                fcntl.ioctl(card, 0x4010640D, struct.pack("QQ", capability, 1))
            try:
                fcntl.ioctl(card, 0xC03864BC, bytearray(56))  # DRM_IOCTL_MODE_ATOMIC
                print("committed")
            except OSError as error:
                print(os.strerror(error.errno))
            """

        @Test("a writeback is for the card's master alone: the kernel refuses a commit of anybody else's, root's too")
        func writeback() throws {
            try Board.shell("ls -d /sys/class/drm/card*-Writeback-*")
            try Board.control("screen", "show", "640x480")
            let beside = try Board.run("python3", "-c", Self.commit)
            #expect(beside.exitCode == 0 && beside.text == "not master\nPermission denied\n", "\(beside)")
            try Board.control("screen", "leave")
            let alone = try Board.run("python3", "-c", Self.commit)
            #expect(alone.exitCode == 0 && alone.text == "master\ncommitted\n", "\(alone)")
            try Board.control("screen", "enter")
            try Board.control("screen", "stop")
        }

        @Test("where the driver tells of no blanks a timer stands in, with its own even count")
        func withoutBlanks() throws {
            try Board.control("screen", "show", "640x480")
            try Board.control("screen", "begin", "300")
            try run("pacedByTimer", under: "board-without-blanks", [])
            try Board.control("screen", "wait")
            try Board.control("screen", "stop")
        }

        @Test(
            "where blanks are not told though they are counted, pictures come at the wanted pace all the same",
            arguments: ["--refused", "--silent"])
        func withoutEvents(kind: String) throws {
            try Board.control("screen", "show", "640x480")
            try Board.control("screen", "begin", "400")
            try run("pacedByClock", under: "board-without-blanks", [kind])
            try Board.control("screen", "wait")
            try Board.control("screen", "stop")
        }

        @Test("part of the test before", .enabled(if: isPart("pacedByClock")))
        func pacedByClock() throws {
            let watcher = try ScreenWatcher()
            try watcher.read()
            let period = try #require(watcher.mode).refresh.nanoseconds(of: 1)
            let begin = MonotonicTime.now
            var last = (sequence: watcher.view.sequence, time: watcher.view.time)
            var wanted = 0
            for _ in 0..<120 {
                try watcher.read(ScreenOrder(sequence: last.sequence + 2))
                #expect(try #require(watcher.mode).hasBlanks && watcher.view.planes.count == 1)
                #expect(watcher.view.time > last.time && watcher.view.time - .now <= period)
                if watcher.view.sequence == last.sequence + 2 { wanted += 1 }
                last = (watcher.view.sequence, watcher.view.time)
            }
            // Each second blank was asked for: none comes sooner, but for a few tries whether blanks are told again.
            #expect((MonotonicTime.now - begin) / period > 180)
            #expect(wanted > 90, "\(wanted) of 120")
        }

        @Test("part of the test before", .enabled(if: isPart("pacedByTimer")))
        func pacedByTimer() throws {
            let watcher = try ScreenWatcher()
            var last: (sequence: UInt64, time: Int64) = (0, 0)
            for _ in 0..<60 {
                try watcher.read(ScreenOrder(sequence: last.sequence + 1))
                let mode = try #require(watcher.mode)
                #expect(!mode.hasBlanks)
                #expect(watcher.view.planes.count == 1)
                #expect(watcher.view.sequence > last.sequence)
                let time = watcher.view.time.nanoseconds
                #expect(time == mode.refresh.nanoseconds(of: Int64(watcher.view.sequence)))
                last = (watcher.view.sequence, time)
            }
        }
    }
}
