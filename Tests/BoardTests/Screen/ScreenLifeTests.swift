import CKernel
import Glibc
import KMS
import Linux
import Media
import Testing

@testable import Capture

extension BoardTests {
    @Suite("A screen's life, of which each turn is told")
    struct ScreenLifeTests {
        private let gone = Failure(.noSource, "cannot read the screen", because: "the program that does it is gone")

        /// A screen that runs, and what it shows.
        private func running(
            _ memory: FrameMemory = .device, rate: FrameRate? = nil, drawsSlate: Bool = true
        ) throws -> (run: ScreenRun, buffer: ToldFramebuffer) {
            let buffer = try ToldFramebuffer(640, 480, number: 3)
            let display = try SteppedScreen()
            display.show(buffer)
            let run = try ScreenRun(display, memory, rate: rate, drawsSlate: drawsSlate)
            try run.run(blanks: 3)
            #expect(run.times.count == 1 && run.changes.isEmpty)
            return (run, buffer)
        }

        private static let losses: [(ScreenState, SignalState)] = [
            (.off, .off), (.unplugged, .noScreen), (.absent, .unplugged),
        ]

        @Test("off, unplugged or gone is a loss: slates that say so, then the same screen's pictures", arguments: 0..<3)
        func lost(number: Int) throws {
            let (state, signal) = Self.losses[number]
            let (run, buffer) = try running()
            run.display.turn(state)
            #expect(try run.go { run.slates >= 3 })
            #expect(run.losses == [signal] && run.screen.signal == signal)
            let last = try #require(run.last)
            #expect(last.isSlate && last.index >= ScreenFrames.sharedCount && last.planes[0].lines == 480)
            let before = run.times.count
            run.display.show(buffer)
            #expect(try run.go { run.times.count > before })
            #expect(run.returns == 1 && run.reshapes == 0 && run.inodes.last == buffer.inode)
            #expect(run.last?.isSlate == false && run.screen.signal.isLocked)
        }

        @Test("no slates come where none are wanted")
        func hold() throws {
            let (run, buffer) = try running(drawsSlate: false)
            run.display.turn(.off)
            #expect(try run.go { run.losses == [.off] })
            try run.go(milliseconds: 500)
            #expect(run.slates == 0)
            run.display.show(buffer)
            #expect(try run.go { run.returns == 1 && run.times.count == 2 })
        }

        @Test("a mode that is set again within a moment is no loss")
        func flicker() throws {
            let (run, buffer) = try running()
            for _ in 0..<5 {
                run.display.turn(.off)
                try run.go(milliseconds: 50)
                run.display.show(buffer)
                try run.go(milliseconds: 50)
            }
            #expect(run.changes.isEmpty && run.slates == 0)
        }

        @Test("another display that is lit instead is a shape of its own, though it has the same size and rate")
        func otherDisplay() throws {
            let (run, buffer) = try running()
            run.display.connector = "Told-2"
            run.display.show(buffer)
            #expect(try run.go { run.reshapes == 1 })
            let before = run.times.count
            try run.go(milliseconds: 100)
            #expect(run.times.count == before && run.losses.isEmpty)
            try run.screen.adopt()
            try run.setUp()
            #expect(try run.go { run.times.count > before })
            #expect(run.reshapes == 1 && run.screen.name == "screen Told-2" && run.screen.path == "screen:Told-2")
        }

        @Test("blanks that are counted anew are no lost pictures, whether their numbers are smaller or greater")
        func otherCount() throws {
            let (run, buffer) = try running()
            for sequence: UInt64 in [1_000_000, 50, 70_000] {
                let before = run.times.count
                run.display.count(from: sequence)
                run.display.show(buffer)
                #expect(try run.go { run.times.count > before })
                try run.run(blanks: 3) { _ in run.display.show(buffer) }
            }
            #expect(run.screen.lostFrames == 0 && run.changes.isEmpty)
        }

        @Test("another reason is told with the moment of the loss")
        func otherReason() throws {
            let (run, _) = try running()
            run.display.turn(.off)
            #expect(try run.go { run.losses == [.off] })
            run.display.turn(.unplugged)
            #expect(try run.go { run.losses == [.off, .noScreen] })
            guard case .lost(_, let first) = run.changes[0], case .lost(_, let second) = run.changes[1] else { return }
            #expect(first == second && run.changes.count == 2)
        }

        @Test("another mode is another shape; nothing comes before it was taken over")
        func mode() throws {
            let (run, _) = try running()
            let other = try ToldFramebuffer(320, 240)
            // A mode set goes through off.
            run.display.turn(.off)
            try run.go(milliseconds: 30)
            run.display.show(other)
            #expect(try run.go { run.reshapes == 1 })
            try run.go(milliseconds: 300)
            #expect(run.times.count == 1 && run.changes.count == 1 && run.slates == 0)
            try run.screen.adopt()
            try run.setUp()
            #expect((run.screen.format.width, run.screen.format.height) == (320, 240))
            #expect(try run.go { run.times.count == 2 })
            #expect(run.inodes.last == other.inode)
        }

        @Test("a screen that goes off before its new shape was taken over cannot be; the next one can")
        func reshapedAndLost() throws {
            let (run, _) = try running()
            let other = try ToldFramebuffer(320, 240)
            run.display.show(other)
            #expect(try run.go { run.reshapes == 1 })
            run.display.turn(.off)
            #expect(try run.go { run.losses == [.off] })
            #expect(throws: Failure.self) { try run.screen.adopt() }
            run.display.show(other)
            #expect(try run.go { run.reshapes == 2 })
            try run.screen.adopt()
            try run.setUp()
            #expect(try run.go { run.times.count == 2 })
        }

        @Test("a shape that turns out not to be readable when it is taken over can be once it is")
        func reshapedAndUnreadable() throws {
            let (run, _) = try running()
            let other = try ToldFramebuffer(320, 240)
            run.display.show(other)
            #expect(try run.go { run.reshapes == 1 })
            var plane = other.plane()
            plane.modifier = 0x0100_0000_0000_0001
            run.display.show([plane], [other.buffer], 320, 240)
            let count = run.display.answers
            #expect(try run.go { run.display.answers > count })
            let failure = #expect(throws: Failure.self) { try run.screen.adopt() }
            #expect(failure?.kind == .noSource && failure?.mend.isEmpty == false)
            run.display.show(other)
            #expect(try run.go { run.reshapes == 2 })
            try run.screen.adopt()
            try run.setUp()
            #expect(try run.go { run.times.count == 2 })
        }

        @Test("another refresh is another shape, unless fewer pictures are wanted than either has")
        func refresh() throws {
            let fifty = try #require(FrameRate(50))
            let (run, buffer) = try running()
            run.display.show(buffer, refresh: fifty)
            #expect(try run.go { run.reshapes == 1 })
            let (slow, same) = try running(rate: .thirty)
            slow.display.show(same, refresh: fifty)
            try slow.go(milliseconds: 500)
            #expect(slow.changes.isEmpty && slow.times.count > 1)
        }

        @Test("whoever reads it can go and come back: a loss, then the same pictures")
        func reader() throws {
            let (run, buffer) = try running()
            run.display.fail(gone)
            #expect(try run.go { run.slates > 0 })
            #expect(run.losses == [.unreadable(gone.cause)])
            run.display.fail(nil)
            #expect(try run.go { run.times.count == 2 })
            #expect(run.returns == 1 && run.inodes.last == buffer.inode)
        }

        @Test("a reader that is back within a moment leaves no trace")
        func readerRestarted() throws {
            let (run, buffer) = try running()
            run.display.fail(gone)
            try run.turn()
            run.display.fail(nil)
            let other = try ToldFramebuffer(640, 480, number: 9)
            run.display.show(other)
            #expect(try run.go { run.inodes.last == other.inode })
            #expect(run.changes.isEmpty && run.slates == 0)
            _ = buffer
        }

        @Test("a reader that hangs is a loss as well, and is asked again; one that has just answered does not hang")
        func hangs() throws {
            let (run, buffer) = try running()
            run.display.isHung = true
            // Of a screen that stands still the last answer is not old.
            run.screen.noteSilence(at: run.display.time + 1_000_000_000)
            try run.turn()
            #expect(run.screen.reader != nil)
            run.screen.noteSilence(at: max(.now, run.display.time) + 3_000_000_000)
            #expect(run.screen.reader == nil)
            #expect(try run.go { run.slates > 2 })
            #expect(run.losses == [.unreadable("whoever reads it does not answer")] && run.times.count == 1)
            run.display.isHung = false
            #expect(try run.go { run.times.count == 2 })
            #expect(run.returns == 1 && run.inodes.last == buffer.inode)
        }

        @Test("a plane that cannot be read is a loss with its reason, not garbage")
        func unreadable() throws {
            let (run, buffer) = try running()
            var plane = buffer.plane()
            plane.modifier = 0x0100_0000_0000_0001
            run.display.show([plane], [buffer.buffer], 640, 480)
            #expect(try run.go { run.slates > 0 })
            guard case .unreadable(let cause, let brief)? = run.losses.first else {
                Issue.record("\(run.changes)")
                return
            }
            #expect(!cause.isEmpty && brief == "Intel X-tiled" && run.times.count == 1)
            run.display.show(buffer)
            #expect(try run.go { run.returns == 1 && run.times.count == 2 })
        }

        @Test("memory that this process may not look at is a loss with its reason, however many go round, until it may")
        func unmappable() throws {
            let (run, buffer) = try running(.process)
            // A file that is open for writing alone stands for memory that may not be mapped, one of the kernel for one that cannot be.
            let file = ckernel_sealed_memory(buffer.buffer.byteCount)
            let forbidden = open("/proc/self/fd/\(file)", O_WRONLY)
            let useless = open("/proc/self/maps", O_RDONLY)
            try #require(file >= 0 && forbidden >= 0 && useless >= 0)
            defer { for descriptor in [file, forbidden, useless] { close(descriptor) } }
            func show(_ descriptor: Int32) {
                run.display.show(
                    [buffer.plane()], [SharedBuffer(descriptor: descriptor, byteCount: buffer.buffer.byteCount)], 640,
                    480)
            }
            show(forbidden)
            #expect(try run.go { run.slates >= 3 })
            guard case .unreadable(let cause, "no rights")? = run.losses.first else {
                Issue.record("\(run.changes)")
                return
            }
            #expect(cause.contains("mapped") && run.times.count == 1 && run.returns == 0)
            var number = 0
            let before = run.slates
            #expect(
                try run.go {
                    number += 1
                    show(number % 2 == 0 ? forbidden : useless)
                    return run.slates >= before + 5
                })
            show(useless)
            #expect(try run.go { run.losses.last != run.losses.first })
            guard case .unreadable(_, "memory not mappable")? = run.losses.last else {
                Issue.record("\(run.changes)")
                return
            }
            #expect(run.returns == 0 && run.times.count == 1, "it is not taken for a picture in between")
            run.display.show(buffer)
            #expect(try run.go { run.returns == 1 && run.times.count == 2 })
            #expect(run.screen.signal.isLocked && run.last?.isSlate == false)
        }

        @Test("at the start what cannot be recorded is refused in one sentence")
        func refused() throws {
            let buffer = try ToldFramebuffer(64, 32)
            var plane = buffer.plane()
            plane.modifier = 5
            func kind(_ prepare: (SteppedScreen) -> Void) throws -> FailureKind? {
                let display = try SteppedScreen()
                display.blankOnceOrdered = true
                prepare(display)
                do throws(Failure) {
                    _ = try Screen(reader: { () throws(Failure) -> any ScreenReader in display })
                    return nil
                } catch {
                    #expect(error.thing.hasPrefix("cannot record from the screen") && !error.cause.isEmpty)
                    return error.kind
                }
            }
            #expect(try kind { $0.turn(.off) } == .noSignal)
            #expect(try kind { $0.turn(.unplugged) } == .noSignal)
            #expect(try kind { $0.turn(.absent) } == .noSource)
            #expect(try kind { $0.show([plane], [buffer.buffer], 64, 32) } == .noSource)
            #expect(try kind { $0.show(buffer) } == nil)
        }
    }
}
