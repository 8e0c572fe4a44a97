import KMS
import Linux
import Media
import Testing

@testable import Capture

extension BoardTests {
    @Suite("A picture that is still being drawn when it is shown")
    struct ScreenFenceTests {
        @Test(
            "comes when whoever draws it says that it is done, with the first blank's time from which on it is seen",
            arguments: [false, true])
        func waits(isConverted: Bool) throws {
            let buffers = try (0..<2).map { try ToldFramebuffer(64, 32, number: $0) }
            let display = try SteppedScreen()
            display.show(buffers[0])
            let run = try ScreenRun(display, isConverted ? .process : .device, depth: 1)
            try run.run(blanks: 2)
            let fence = try SoftwareFence()
            try fence.hold(buffers[1].buffer)
            display.show(buffers[1])
            display.blank()
            let moment = display.time
            for _ in 0..<5 { try run.turn(milliseconds: 20) }
            #expect(run.times.count == 1)
            let signal = MonotonicTime.now
            try fence.signal()
            #expect(try run.go { run.times.count == 2 })
            let seen = try #require(run.times.last)
            #expect(seen >= signal && display.blanks(from: moment, to: seen) != nil, "\(seen - moment)")
            #expect(run.screen.unfencedFrames == 0 && run.screen.lostFrames == 0)
            try run.run(blanks: 3) { display.show(buffers[$0 % 2]) }
            #expect(run.times.count == 5)
        }

        @Test("is waited for no longer than half a second")
        func limit() throws {
            let buffers = try (0..<2).map { try ToldFramebuffer(64, 32, number: $0) }
            let display = try SteppedScreen()
            display.show(buffers[0])
            let run = try ScreenRun(display)
            try run.run(blanks: 2)
            let fence = try SoftwareFence()
            try fence.hold(buffers[1].buffer)
            display.show(buffers[1])
            #expect(try run.go { run.times.count == 2 })
            #expect(run.screen.unfencedFrames == 1)
            try fence.signal()
            display.show(buffers[0])
            #expect(try run.go { run.times.count == 3 })
            #expect(run.screen.unfencedFrames == 1 && run.changes.isEmpty)
        }

        @Test("is not waited for when somebody only reads it")
        func readers() throws {
            let buffers = try (0..<2).map { try ToldFramebuffer(64, 32, number: $0) }
            let display = try SteppedScreen()
            display.show(buffers[0])
            let run = try ScreenRun(display)
            try run.run(blanks: 2)
            let fence = try SoftwareFence()
            try fence.hold(buffers[1].buffer, isWriting: false)
            try run.run(blanks: 1) { _ in display.show(buffers[1]) }
            #expect(run.times.count == 2)
            try fence.signal()
        }
    }
}
