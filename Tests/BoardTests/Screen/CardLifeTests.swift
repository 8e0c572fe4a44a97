import Glibc
import KMS
import Linux
import Testing

extension BoardTests {
    /// What happens to a screen while somebody reads it.
    @Suite("What a card tells of its screen's life")
    struct CardLifeTests {
        @Test("asleep, bare and unplugged are told, and what comes back is read on")
        func dark() throws {
            try Board.control("screen", "show", "640x480")
            let watcher = try ScreenWatcher()
            try watcher.read()
            let first = watcher.view.sequence
            for (away, state) in [("dark", ScreenState.off), ("bare", .off)] {
                try Board.control("screen", away)
                try watcher.read { $0 == state }
                #expect(watcher.view.planes.isEmpty)
                #expect(watcher.view.buffers.isEmpty)
                try Board.control("screen", "lit")
                try watcher.read { _ in watcher.mode != nil }
                #expect(try watcher.number() == 0)
            }
            try Board.control("screen", "off")
            try watcher.read { $0 == .unplugged }
            try Board.control("screen", "on")
            try watcher.read { _ in watcher.mode != nil }
            #expect(watcher.view.sequence > first)
            try Board.control("screen", "stop")
        }

        @Test("what comes back brings its memory, though it is the same that was known when the order was given")
        func known() throws {
            try Board.control("screen", "show", "640x480")
            let watcher = try ScreenWatcher()
            try watcher.read()
            let signature = watcher.view.signature
            // Who knows a piece of memory has it open, so that it keeps its number.
            let kept = FileDescriptor(owning: dup(try #require(watcher.view.buffers.first).descriptor))
            defer { _ = kept.raw }
            try watcher.read(ScreenOrder(known: signature))
            #expect(watcher.view.isKnown && watcher.view.buffers.isEmpty)
            // The order stays out all the time.
            try watcher.reader.order(ScreenOrder(sequence: watcher.view.sequence + 300, known: signature))
            try Board.control("screen", "off")
            repeat { try watcher.answer() } while watcher.view.state != .unplugged
            try Board.control("screen", "on")
            repeat { try watcher.answer() } while watcher.mode == nil
            #expect(watcher.view.signature == signature, "the same is shown")
            #expect(!watcher.view.isKnown && watcher.view.buffers.count == 1)
            try Board.control("screen", "stop")
        }

        @Test("another mode is told with its first picture")
        func mode() throws {
            try Board.control("screen", "show", "640x480")
            let watcher = try ScreenWatcher()
            try watcher.read()
            #expect(watcher.mode?.width == 640)
            try Board.control("screen", "mode", "800x600")
            try watcher.read { _ in watcher.mode?.width == 800 }
            #expect(watcher.view.planes.first?.width == 800)
            #expect(try watcher.pixel(try #require(watcher.view.planes.first), 799, 0) & 0xFF == 99)
            try Board.control("screen", "stop")
        }

        @Test("an order that is out while the screen is dark is answered again and again, and by a picture in the end")
        func patience() throws {
            try Board.control("screen", "show", "640x480")
            try Board.control("screen", "bare")
            let watcher = try ScreenWatcher()
            try watcher.read()
            #expect(watcher.view.state == .off)
            // Nobody orders anew.
            try watcher.answer()
            #expect(watcher.view.state == .off)
            try Board.control("screen", "lit")
            repeat { try watcher.answer() } while watcher.mode == nil
            #expect(try watcher.number() == 0)
            #expect(try !watcher.reader.next(watcher.view))
            try Board.control("screen", "stop")
        }

        @Test("who leaves the screen to another program is not read in its place")
        func anotherProgram() throws {
            try Board.control("screen", "show", "640x480")
            let watcher = try ScreenWatcher()
            try Board.control("screen", "leave")
            let other = try Board.start("(echo flip 60; sleep 2) | board-screen /dev/board/screen 800x600")
            try watcher.read { _ in watcher.mode?.width == 800 }
            _ = other.wait(atMost: 60)
            try Board.control("screen", "enter")
            try watcher.read { _ in watcher.mode?.width == 640 }
            #expect(try watcher.number() == 0)
            try Board.control("screen", "stop")
        }

        @Test(
            "when the last program has gone the console gets its screen back, which a reader that kept the card would hinder"
        )
        func console() throws {
            try Board.control("screen", "show", "640x480")
            let watcher = try ScreenWatcher()
            try watcher.read()
            try Board.control("screen", "stop")
            // The kernel's own framebuffer, in the mode that the display prefers.
            try watcher.read { _ in watcher.mode.map { $0.width != 640 } ?? false }
            #expect(watcher.view.planes.map(\.kind) == [.primary])
        }

        @Test("a console's display that sleeps is off, is not woken by being looked at, and is there when it wakes")
        func sleepingConsole() throws {
            func blank(_ level: Int) throws {
                // FBIOBLANK; 4 switches the display off.
                let ask = "import fcntl, os; fcntl.ioctl(os.open('/dev/fb0', os.O_RDWR), 0x4611, \(level))"
                try Board.shell("python3 -c \"\(ask)\"")
            }
            let power = "cat /sys/class/drm/card*-Virtual-1/dpms"
            try Board.control("screen", "show", "640x480")
            try Board.control("screen", "stop")
            let watcher = try ScreenWatcher()
            try watcher.read { _ in watcher.mode != nil }
            for _ in 0..<2 {
                try blank(4)
                try watcher.read { $0 == .off }
                // It is looked for four times a second, and told once a second.
                for _ in 0..<2 { try watcher.read() }
                #expect(watcher.view.state == .off)
                #expect(try Board.shell(power).hasPrefix("Off"))
                try blank(0)
                try watcher.read { _ in watcher.mode != nil }
                #expect(try watcher.view.planes.count == 1 && Board.shell(power).hasPrefix("On"))
            }
        }
    }
}
