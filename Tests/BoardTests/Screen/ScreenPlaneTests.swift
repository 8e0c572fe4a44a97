import KMS
import Linux
import Media
import Pixels
import Testing
import V4L2

@testable import Capture

extension BoardTests {
    @Suite("Screens of several planes, and turned ones, of which each blank is told")
    struct ScreenPlaneTests {
        private let screen = try? SteppedScreen()

        /// A primary of 64 by 32, and a small overlay over it.
        private func stack() throws -> (planes: [ScreenPlane], buffers: [ToldFramebuffer]) {
            let buffers = [try ToldFramebuffer(64, 32, number: 1), try ToldFramebuffer(16, 8, number: 77)]
            var planes = buffers.enumerated().map { $0.element.plane(kind: $0.offset == 0 ? .primary : .overlay) }
            planes[1].pieces[0].buffer = 1
            (planes[1].x, planes[1].y, planes[1].alpha) = (9, 5, 0x8000)
            return (planes, buffers)
        }

        private func expected(
            _ planes: [ScreenPlane], _ buffers: [ToldFramebuffer], _ width: Int, _ height: Int, turn: Turn = .none
        ) throws -> [UInt8] {
            let frame = VideoFrame(index: 0, width: width, height: height, pixelFormat: .bgrx32, lineAlignment: 1)
            let layers = planes.enumerated().map { index, plane in
                var layer = ScreenLayer(plane)
                layer[memory: 0] = UnsafeRawBufferPointer(buffers[index].bytes)
                return layer
            }
            let isTurned = turn.exchangesAxes
            let composer = Composer(
                screenWidth: isTurned ? height : width, screenHeight: isTurned ? width : height, turn: turn)
            try composer.compose(layers, onto: frame)
            return colours(frame)
        }

        /// Blue, green and red of each pixel.
        private func colours(_ frame: VideoFrame) -> [UInt8] {
            let plane = frame.planes[0]
            return (0..<plane.lines).flatMap { y in
                (0..<plane.bytesPerLine).compactMap { x in
                    x % 4 == 3 ? nil : (plane.base + y * plane.bytesPerLine + x).load(as: UInt8.self)
                }
            }
        }

        @Test("an overlay that comes and goes: put together while it is there, else handed on, all in one row")
        func overlay() throws {
            let (planes, buffers) = try stack()
            let display = try #require(screen)
            display.show(buffers[0])
            let run = try ScreenRun(display, depth: 2)
            let expected = try expected(planes, buffers, 64, 32)
            for round in 0..<12 {
                if round % 2 == 0 {
                    display.show(planes, buffers.map(\.buffer), 64, 32)
                } else {
                    display.show(buffers[0])
                }
                try run.run(blanks: 1)
                let frame = try #require(run.last)
                #expect(run.times.count == round + 1 && (frame.index >= ScreenFrames.sharedCount) == (round % 2 == 0))
                if round % 2 == 0 { #expect(colours(frame) == expected) }
            }
            #expect(!run.hasDoubled && run.screen.lostFrames == 0 && run.changes.isEmpty)
        }

        @Test("a picture that stays is put together again when it is wanted, though no memory was told again")
        func again() throws {
            let (planes, buffers) = try stack()
            let display = try #require(screen)
            display.show(planes, buffers.map(\.buffer), 64, 32)
            let run = try ScreenRun(display)
            try run.run(blanks: 3)
            #expect(run.times.count == 1)
            run.screen.requestPicture()
            try run.run(blanks: 1)
            #expect(run.times.count == 2)
            #expect(colours(try #require(run.last)) == (try expected(planes, buffers, 64, 32)))
        }

        @Test("pictures with a plane that is scaled are counted, and others are not")
        func scaled() throws {
            var (planes, buffers) = try stack()
            let display = try #require(screen)
            display.show(planes, buffers.map(\.buffer), 64, 32)
            let run = try ScreenRun(display)
            try run.run(blanks: 1)
            #expect(run.times.count == 1 && run.screen.nearestFrames == 0)
            for (width, height, rotation): (Int, Int, UInt32) in [(32, 16, 1), (16, 8, 2), (12, 8, 1)] {
                let before = run.screen.nearestFrames
                (planes[1].targetWidth, planes[1].targetHeight, planes[1].rotation) = (width, height, rotation)
                display.show(planes, buffers.map(\.buffer), 64, 32)
                try run.run(blanks: 1)
                #expect(run.screen.nearestFrames == before + 1)
            }
            (planes[1].targetWidth, planes[1].targetHeight, planes[1].rotation) = (8, 16, 8)
            display.show(planes, buffers.map(\.buffer), 64, 32)
            try run.run(blanks: 1)
            #expect(run.screen.nearestFrames == 3 && run.times.count == 5)
        }

        @Test("a display on its side: its framebuffer is what a viewer sees, and is handed on")
        func turned() throws {
            let buffer = try ToldFramebuffer(32, 64, number: 4)
            var plane = buffer.plane()
            (plane.rotation, plane.targetWidth, plane.targetHeight) = (2, 64, 32)
            let display = try #require(screen)
            display.show([plane], [buffer.buffer], 64, 32)
            let run = try ScreenRun(display)
            #expect((run.screen.format.width, run.screen.format.height) == (32, 64))
            try run.run(blanks: 1)
            #expect(run.inodes == [buffer.inode])
            // Turned further, but still on its side: the same shape.
            plane.rotation = 8
            display.show([plane], [buffer.buffer], 64, 32)
            try run.run(blanks: 1)
            #expect(run.times.count == 2 && run.changes.isEmpty)
            // Upright it is another one.
            display.show(try ToldFramebuffer(64, 32))
            #expect(try run.go { run.reshapes == 1 })
        }

        @Test(
            "turned as it was asked for: put together, whatever the display's own rotation is", arguments: Turn.allCases
        )
        func asked(turn: Turn) throws {
            let buffer = try ToldFramebuffer(64, 32, number: 4)
            let display = try #require(screen)
            display.show(buffer)
            let run = try ScreenRun(display, bytesPerLine: nil, turn: turn)
            try run.run(blanks: 1)
            let size = turn.exchangesAxes ? (32, 64) : (64, 32)
            #expect((run.screen.format.width, run.screen.format.height) == size)
            let frame = try #require(run.last)
            guard turn != .none else {
                #expect(run.inodes == [buffer.inode])
                return
            }
            #expect(colours(frame) == (try expected([buffer.plane()], [buffer], size.0, size.1, turn: turn)))
        }

        @Test("a black screen is black")
        func black() throws {
            let display = try #require(screen)
            display.show([], [], 64, 32)
            let run = try ScreenRun(display)
            try run.run(blanks: 65)
            #expect(run.times.count == 2)
            #expect(colours(try #require(run.last)).allSatisfy { $0 == 0 })
        }

        @Test("another format is converted on the way: the processor's picture is what the composer makes")
        func process() throws {
            let (planes, buffers) = try stack()
            let display = try #require(screen)
            display.show(planes, buffers.map(\.buffer), 64, 32)
            let run = try ScreenRun(display, .process)
            try run.run(blanks: 1)
            let frame = try #require(run.last)
            let reference = VideoFrame(index: 0, width: 64, height: 32, pixelFormat: .nv12)
            let layers = planes.enumerated().map { index, plane in
                var layer = ScreenLayer(plane)
                layer[memory: 0] = UnsafeRawBufferPointer(buffers[index].bytes)
                return layer
            }
            try Composer(screenWidth: 64, screenHeight: 32).compose(layers, onto: reference, as: .nv12)
            for (mine, other) in zip(frame.planes, reference.planes) {
                for y in 0..<mine.lines {
                    let bytes = UnsafeRawBufferPointer(start: mine.base + y * mine.bytesPerLine, count: 64)
                    #expect(
                        bytes.elementsEqual(
                            UnsafeRawBufferPointer(start: other.base + y * other.bytesPerLine, count: 64)))
                }
            }
        }
    }
}
