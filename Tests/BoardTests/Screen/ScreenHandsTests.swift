import CDRM
import Glibc
import Judges
import Linux
import Media
import Testing

@testable import KMS

extension BoardTests {
    /// What reading a screen leaves behind with the kernel, and with the programs that draw.
    @Suite("Hands off the board's own screen")
    struct ScreenHandsTests {
        /// What the reader says next.
        private func look(_ reader: CardReader, _ view: ScreenView) throws {
            try reader.order(ScreenOrder())
            let end = MonotonicTime.now + 20_000_000_000
            while try !reader.next(view) {
                try #require(MonotonicTime.now < end, "nothing is told of the screen")
                var entry = pollfd(fd: reader.descriptor, events: Int16(POLLIN), revents: 0)
                _ = poll(&entry, 1, 1000)
            }
        }

        @Test("a program that shows something still becomes master and sets modes, though a reader was there first")
        func readerFirst() throws {
            let reader = try CardReader(connector: nil)
            let view = ScreenView()
            try look(reader, view)
            #expect(view.state == .off)
            for size in ["240x160", "640x480"] {
                try Board.control("screen", "show", size)
                try look(reader, view)
                guard case .lit(let mode) = view.state else {
                    Issue.record("\(view.state) with \(size)")
                    continue
                }
                #expect("\(mode.width)x\(mode.height)" == size)
                #expect(try Board.control("screen", "mode", "320x240").first?.hasPrefix("shown 0 ") == true)
                try Board.control("screen", "stop")
            }
        }

        private func kilobytes(_ name: String) throws -> Int {
            Int(try Board.shell("awk '$1 == \"\(name):\" { print $2 }' /proc/meminfo").dropLast()) ?? 0
        }

        private var descriptors: Int { SystemDirectory.entries("/proc/self/fd").count }

        @Test("a thousand pictures, each in fresh memory, leave no handle, no descriptor and no memory behind")
        func leavings() throws {
            let unused = try kilobytes("Shmem")
            try Board.control("screen", "show", "320x240")
            let reader = try CardReader(connector: nil)
            let others = descriptors
            do {
                let run = try NumberedRun { () throws(Failure) in reader }
                _ = try NumberedRun.go([run], atMost: 30) { run.taken.count >= 1 }
                let (open, memory) = (descriptors, try kilobytes("Shmem"))
                let flips = try Board.start("boardctl screen fresh 1000")
                _ = try NumberedRun.go([run], atMost: 120) { !flips.isRunning }
                #expect(flips.wait().exitCode == 0)
                #expect(run.taken.count > 100, "\(run.taken.count) of a thousand were seen")
                // A picture has 300 kB; while it runs, what is shown and the few that are out may be kept.
                #expect(descriptors - open <= 32, "\(open) descriptors became \(descriptors)")
                let left = try kilobytes("Shmem")
                #expect(left - memory < 32 * 300, "kB of memory: \(memory) became \(left)")
                run.screen.stop()
            }
            // The picture that it had read for the order that is out.
            reader.picture.clear()
            #expect(descriptors == others)
            // The kernel gives the lowest number that is free.
            var buffer = drm_mode_create_dumb()
            (buffer.width, buffer.height, buffer.bpp) = (64, 64, 32)
            try #require(reader.screen).card.request(CDRM_MODE_CREATE_DUMB, &buffer)
            #expect(buffer.handle == 1)
            try Board.control("screen", "stop")
            #expect(try kilobytes("Shmem") - unused < 4 * 300, "\(unused) kB at first")
        }
    }
}
