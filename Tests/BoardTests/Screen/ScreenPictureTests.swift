import Glibc
import KMS
import Linux
import Media
import Pixels
import Testing
import V4L2

@testable import Capture

extension BoardTests {
    @Suite("Pictures of a screen, of which each blank is told")
    struct ScreenPictureTests {
        private func sixty() throws -> FrameRate { try #require(FrameRate(60)) }

        @Test("the framebuffers themselves are handed on, each with a number of its own, none twice at once")
        func passedOn() throws {
            let buffers = try (0..<3).map { try ToldFramebuffer(640, 480, number: $0) }
            let display = try SteppedScreen()
            display.show(buffers[0])
            let run = try ScreenRun(display, depth: 2)
            try run.run(blanks: 60) { display.show(buffers[$0 % 3]) }
            #expect(run.inodes == (0..<60).map { buffers[$0 % 3].inode })
            #expect(Set(run.indices).count == 3 && run.indices.allSatisfy { $0 < ScreenFrames.sharedCount })
            #expect(!run.hasDoubled && run.screen.lostFrames == 0)
            #expect(zip(run.times, run.times.dropFirst()).allSatisfy { $0 < $1 })
        }

        @Test("a framebuffer that is shown again while the encoder still has it gets a second number")
        func twice() throws {
            let buffers = try (0..<2).map { try ToldFramebuffer(64, 32, number: $0) }
            let display = try SteppedScreen()
            display.show(buffers[0])
            let run = try ScreenRun(display, depth: 3)
            try run.run(blanks: 40) { display.show(buffers[$0 % 2]) }
            #expect(run.inodes == (0..<40).map { buffers[$0 % 2].inode })
            #expect(!run.hasDoubled && run.screen.lostFrames == 0)
        }

        @Test("of an encoder that keeps all frames no more are asked, and what is not shown to it counts as lost")
        func full() throws {
            let buffers = try (0..<3).map { try ToldFramebuffer(64, 32, number: $0) }
            let display = try SteppedScreen()
            display.show(buffers[0])
            let run = try ScreenRun(display, depth: 100)
            try run.run(blanks: 10) { display.show(buffers[$0 % 3]) }
            #expect(run.times.count == 4 && !run.hasDoubled)
            run.releaseAll()
            try run.run(blanks: 1)
            #expect(run.times.count == 5 && run.inodes.last == buffers[0].inode)
        }

        @Test("of a program that flips through ten framebuffers all come, and none stays open")
        func many() throws {
            let display = try SteppedScreen()
            display.show(try ToldFramebuffer(64, 32))
            let run = try ScreenRun(display, depth: 2)
            try run.run(blanks: 10) { _ in display.show(try ToldFramebuffer(64, 32)) }
            let before = try descriptors()
            try run.run(blanks: 200) { _ in display.show(try ToldFramebuffer(64, 32)) }
            #expect(run.times.count == 210 && run.screen.lostFrames == 0)
            #expect(try descriptors() <= before)
        }

        @Test(
            "framebuffers that a program has no longer stay open nowhere, though none has been handed on as it is since"
        )
        func replaced() throws {
            let old = try (0..<3).map { try ToldFramebuffer(64, 32, number: $0) }
            let before = openings(of: old[0])
            let display = try SteppedScreen()
            display.show(old[0])
            let run = try ScreenRun(display, depth: 1)
            try run.run(blanks: 9) { display.show(old[$0 % 3]) }
            #expect(old.allSatisfy { openings(of: $0) > before })
            // A pointer comes and stays, and the program below it has other framebuffers.
            let pointer = try ToldFramebuffer(16, 16)
            let new = try (0..<2).map { try ToldFramebuffer(64, 32, number: $0) }
            var above = pointer.plane(kind: .cursor)
            above.id = 32
            above.pieces[0].buffer = 1
            try run.run(blanks: 700) { number in
                let ground = new[number % 2]
                display.show([ground.plane(), above], [ground.buffer, pointer.buffer], 64, 32)
            }
            #expect(run.indices.last.map { $0 >= ScreenFrames.sharedCount } == true)
            #expect(old.map { openings(of: $0) } == [before, before, before], "\(run.times.count)")
        }

        /// How many descriptors of this process are a framebuffer's memory.
        private func openings(of framebuffer: ToldFramebuffer) -> Int {
            func identity(_ descriptor: Int32) -> [UInt64]? {
                var status = stat()
                return fstat(descriptor, &status) == 0 ? [UInt64(status.st_dev), UInt64(status.st_ino)] : nil
            }
            let own = identity(framebuffer.buffer.descriptor)
            return (0..<1024).filter { identity($0) == own }.count
        }

        @Test("lines as the encoder wants them: put together in memory of ours, bit by bit what is shown")
        func padded() throws {
            let buffers = try (0..<3).map { try ToldFramebuffer(94, 34, bytesPerLine: 4 * 94 + 8, number: $0) }
            let display = try SteppedScreen()
            display.show(buffers[0])
            let run = try ScreenRun(display, bytesPerLine: 512, depth: 1)
            try run.run(blanks: 9) { number in
                display.show(buffers[number % 3])
                if number > 0 { try checkPadded(run, buffers[(number - 1) % 3]) }
            }
            #expect(run.times.count == 9 && run.indices.allSatisfy { $0 >= ScreenFrames.sharedCount })
        }

        private func checkPadded(_ run: ScreenRun, _ buffer: ToldFramebuffer) throws {
            let frame = try #require(run.last)
            let plane = frame.planes[0]
            #expect(plane.bytesPerLine == 512 && frame.buffers[0].byteCount >= 512 * 34)
            let lines = (0..<34).flatMap {
                Array(UnsafeRawBufferPointer(start: plane.base + $0 * 512, count: 4 * 94))
            }
            #expect(lines == buffer.picture(94, 34))
        }

        @Test("in memory of the process a picture is NV12, converted from the framebuffer where it lies")
        func process() throws {
            let buffer = try ToldFramebuffer(64, 32, number: 5)
            let display = try SteppedScreen()
            display.show(buffer)
            let run = try ScreenRun(display, .process, depth: 1)
            try run.run(blanks: 1)
            let format = run.screen.format
            #expect(format.pixelFormat == .nv12 && !format.color.isFullRange && format.color.primaries == 1)
            let source = VideoFrame(index: 0, width: 64, height: 32, pixelFormat: .bgrx32, lineAlignment: 1)
            source.planes[0].base.copyMemory(from: buffer.picture(64, 32), byteCount: 4 * 64 * 32)
            let expected = VideoFrame(index: 0, width: 64, height: 32, pixelFormat: .nv12)
            let conversion = try Conversion(
                from: .bgrx32, to: .nv12, width: 64, height: 32, color: ScreenPainter.color)
            #expect(conversion.convert(source, to: expected) && conversion.color == format.color)
            #expect(samples(try #require(run.last), 64) == samples(expected, 64))
        }

        @Test(
            "a film that covers the screen in NV12 is handed on as it lies; what is put over it comes as NV12 of the same meaning",
            arguments: [UInt8(1), 6], [false, true])
        func film(matrix: UInt8, isFullRange: Bool) throws {
            let (film, plane) = try greyFilm(matrix: matrix, isFullRange: isFullRange)
            let display = try SteppedScreen()
            display.show([plane], [film.buffer], 64, 32)
            let run = try ScreenRun(display, depth: 1)
            #expect(try run.screen.offers().map(\.fourcc) == [ScreenPlane.nv12, ScreenPlane.xrgb8888])
            #expect(run.screen.format.pixelFormat == .nv12 && run.screen.format.color == plane.plainColor)
            try run.run(blanks: 1)
            #expect(run.inodes == [film.inode] && run.indices[0] < ScreenFrames.sharedCount)

            let box = try ToldFramebuffer(16, 8)
            for place in 0..<(16 * 8) { box.put(0xFFFFFF, place % 16, place / 16) }
            var over = box.plane(kind: .overlay)
            over.pieces[0].buffer = 1
            display.show([plane, over], [film.buffer, box.buffer], 64, 32)
            try run.run(blanks: 1)
            let frame = try #require(run.last)
            let luma = frame.planes[0]
            #expect(frame.index >= ScreenFrames.sharedCount && frame.planes.count == 2 && run.inodes.last != film.inode)
            #expect(luma.base.load(as: UInt8.self) == (isFullRange ? 255 : 235))
            for y in 8..<32 {
                let given = film.picture(16, 48)[(64 * y)..<(64 * y + 64)]
                let line = UnsafeRawBufferPointer(start: luma.base + y * luma.bytesPerLine, count: 64)
                #expect(zip(line, given).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
            }
            #expect(UnsafeRawBufferPointer(start: frame.planes[1].base, count: 64).allSatisfy { $0 == 128 })

            display.show([plane], [film.buffer], 64, 32)
            try run.run(blanks: 1)
            #expect(run.inodes.last == film.inode && run.indices[2] < ScreenFrames.sharedCount)
            #expect(run.screen.lostFrames == 0)
        }

        /// A grey film of 64 × 32, and the plane that shows it.
        private func greyFilm(matrix: UInt8, isFullRange: Bool) throws -> (ToldFramebuffer, ScreenPlane) {
            let film = try ToldFramebuffer(16, 48)
            for place in 0..<(16 * 48) {
                let grey = UInt32(place >= 16 * 32 ? 128 : 16 + place % 200)
                film.put(grey * 0x0101_0101, place % 16, place / 16)
            }
            var plane = film.plane()
            (plane.width, plane.height, plane.fourcc) = (64, 32, ScreenPlane.nv12)
            plane.pieces.append(ScreenPlane.Piece(buffer: 0, offset: 64 * 32, bytesPerLine: 64))
            (plane.sourceWidth, plane.sourceHeight) = (64 << 16, 32 << 16)
            (plane.targetWidth, plane.targetHeight) = (64, 32)
            (plane.matrix, plane.isFullRange) = (matrix, isFullRange)
            return (film, plane)
        }

        private func samples(_ frame: VideoFrame, _ lineBytes: Int) -> [UInt8] {
            frame.planes.flatMap { plane in
                (0..<plane.lines).flatMap {
                    Array(UnsafeRawBufferPointer(start: plane.base + $0 * plane.bytesPerLine, count: lineBytes))
                }
            }
        }

        @Test("of 60 blanks a second 30 or 25 are wanted, with the blanks' own times", arguments: [30, 25])
        func slower(rate: Int64) throws {
            let buffers = try (0..<2).map { try ToldFramebuffer(64, 32, number: $0) }
            let display = try SteppedScreen()
            display.show(buffers[0])
            let run = try ScreenRun(display, rate: FrameRate(rate))
            #expect(run.screen.format.rate.perSecond == Double(rate))
            try run.run(blanks: 600) { display.show(buffers[$0 % 2]) }
            #expect(run.times.count == Int(rate) * 10 && run.screen.lostFrames == 0)
            let period = try sixty().nanoseconds(of: 1)
            let steps = Set(zip(run.times, run.times.dropFirst()).map { Int(($1 - $0 + period / 2) / period) })
            #expect(steps == (rate == 30 ? [2] : [2, 3]))
        }

        @Test("an answer that comes late has lost what was wanted in between, if the screen changed")
        func late() throws {
            let buffers = try (0..<2).map { try ToldFramebuffer(64, 32, number: $0) }
            let display = try SteppedScreen()
            display.show(buffers[0])
            let run = try ScreenRun(display)
            try run.run(blanks: 3) { display.show(buffers[$0 % 2]) }
            display.show(buffers[1])
            display.blank(4)
            try run.turn()
            #expect(run.times.count == 4 && run.screen.lostFrames == 3)
            display.blank(5)
            try run.turn()
            #expect(run.times.count == 4 && run.screen.lostFrames == 3)
        }

        @Test("a screen that stays gives one picture a second, and one when it is wanted")
        func still() throws {
            let display = try SteppedScreen()
            display.show(try ToldFramebuffer(64, 32))
            let run = try ScreenRun(display)
            try run.run(blanks: 601)
            #expect(run.times.count == 11)
            #expect(zip(run.times, run.times.dropFirst()).allSatisfy { $1 - $0 > 990_000_000 })
            run.screen.requestPicture()
            try run.run(blanks: 1)
            #expect(run.times.count == 12)
            try run.run(blanks: 10)
            #expect(run.times.count == 12 && run.screen.lostFrames == 0)
        }

        @Test(
            "a picture that is wanted comes with the next blank at any rate, and at rates below one a second there is one a second",
            arguments: [FrameRate(1), FrameRate(1, 5), FrameRate(1, 10)], [false, true])
        func seldom(rate: FrameRate?, isMoving: Bool) throws {
            let buffers = try (0..<2).map { try ToldFramebuffer(64, 32, number: $0) }
            let display = try SteppedScreen()
            display.show(buffers[0])
            let run = try ScreenRun(display, rate: rate)
            #expect(run.screen.format.rate == FrameRate(1))
            func go(_ blanks: Int) throws {
                try run.run(blanks: blanks) { if isMoving { display.show(buffers[$0 % 2]) } }
            }
            try go(601)
            #expect(run.times.count == 11)
            let period = try sixty().nanoseconds(of: 1)
            #expect(zip(run.times, run.times.dropFirst()).allSatisfy { ($1 - $0 + period / 2) / period == 60 })
            try go(30)
            let orders = display.orders.count
            for _ in 0..<5 { run.screen.requestPicture() }
            #expect(display.orders.count == orders + 1 && display.orders.last?.sequence == 0, "once for each wish")
            try go(1)
            #expect(run.times.count == 12 && run.times.last == display.time)
            // It counts for no other: the next one is where it would have been.
            try go(28)
            #expect(run.times.count == 12)
            try go(1)
            #expect(run.times.count == 13)
            try go(600)
            #expect(run.times.count == 23 && run.screen.lostFrames == 0)
        }

        /// Draws into memory that is shown, and sees that it is found within 200 ms and that each blank counts then.
        /// - Returns: how many pictures there are once nothing has been drawn for three seconds.
        private func findDrawing(_ run: ScreenRun, _ draw: () -> Void) throws -> Int {
            let before = run.times.count
            draw()
            try run.run(blanks: 13)
            #expect(run.times.count > before)
            let found = run.times.count
            try run.run(blanks: 60)
            #expect(run.times.count == found + 60)
            try run.run(blanks: 180)
            return run.times.count
        }

        @Test("what is drawn into a framebuffer that stays is found within 200 ms, then each blank counts")
        func inPlace() throws {
            let buffer = try ToldFramebuffer(64, 32)
            let display = try SteppedScreen()
            display.show(buffer)
            let run = try ScreenRun(display)
            try run.run(blanks: 30)
            // A caret: two columns, sixteen lines.
            let calm = try findDrawing(run) { for line in 10..<26 { buffer.put(0xFFFFFF, 30, line) } }
            try run.run(blanks: 120)
            #expect(run.times.count <= calm + 2)
        }

        @Test(
            "what is drawn into an overlay or a pointer that stays is found as well, beside planes that stay as they are"
        )
        func inPlaceAbove() throws {
            let ground = try ToldFramebuffer(64, 32)
            let pointer = try ToldFramebuffer(16, 16)
            var above = pointer.plane(kind: .cursor)
            above.id = 32
            above.pieces[0].buffer = 1
            let display = try SteppedScreen()
            display.show([ground.plane(), above], [ground.buffer, pointer.buffer], 64, 32)
            let run = try ScreenRun(display)
            try run.run(blanks: 30)
            let calm = try findDrawing(run) { for column in 0..<16 { pointer.put(0xFFFFFF, column, 8) } }
            // One that moves without being drawn anew is told by the view alone.
            for place in 0..<3 {
                above.x = place + 1
                display.show([ground.plane(), above], [ground.buffer, pointer.buffer], 64, 32)
                try run.run(blanks: 20)
            }
            #expect(run.times.count <= calm + 5)
        }

        /// Descriptors that this process has.
        private func descriptors() throws -> Int {
            try Board.shell("ls /proc/$PPID/fd").split(separator: "\n").count
        }
    }
}
