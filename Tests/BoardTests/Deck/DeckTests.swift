import Capture
import Encoding
import Glibc
import Judges
import Linux
import Media
import Recorder
import Storage
import Testing

extension BoardTests {
    @Suite("A deck on the HDMI input")
    struct DeckTests {
        private static let (width, height) = (1280, 720)
        private static let period = FrameRate.thirty.nanoseconds(of: 1)

        private func feed() throws {
            try Board.control("hdmi", "feed", "NV12", "\(Self.width)x\(Self.height)@30")
        }

        @Test(
            "ten recordings by one press each: the first picture is from after it, none is black or old, all are whole",
            arguments: [EncoderPreference.hardware, .software])
        func tenTakes(encoder: EncoderPreference) throws {
            try feed()
            let folder = try TemporaryFolder()
            let run = try BoardDeck(encoder, folder)
            try run.present()
            let fed = try FedPicture("NV12", width: Self.width, height: Self.height)
            var latencies: [Int64] = []
            for number in 1...10 {
                // A person waits a little, so that the encoder is there; the picture from then would be an old one.
                usleep(300_000)
                run.deck.still(number: number)
                let before = try self.number(in: pixels(of: still(run, number), folder))
                let (press, result) = try run.take(number, pictures: 12)
                #expect(result.failure == nil && result.paths.count == 1)
                let first = try #require(result.firstFrameTime)
                #expect(first >= press, "no picture is from before the press")
                latencies.append(first - press)
                let path = try #require(result.paths.first)
                let file = try RecordedFile(path)
                #expect(Int64(file.pictures) == result.encodedFrames && file.keyFrames.first == 0)
                if encoder == .hardware && number % 4 == 1 {
                    // The board's encoder loses nothing, so each picture is what was fed, bit by bit.
                    let pictures = try RecordedPictures(of: path, fed)
                    #expect(pictures.wrong == 0, "\(pictures)")
                    #expect(try #require(pictures.numbers.first) >= before, "no picture is older than the press")
                }
            }
            let sorted = latencies.sorted()
            print(
                "first picture behind the press, \(encoder): median \(sorted[5] / 1000) us, most \(sorted[9] / 1000) us"
            )
            // Half of them within three pictures, though the machine below may be busy.
            #expect(sorted[5] < 3 * Self.period)
            try Board.control("hdmi", "unfeed")
        }

        @Test("recordings follow one another where the pictures are written into the encoder's own memory")
        func written() throws {
            try Board.control("hdmi", "feed", "NV16", "\(Self.width)x\(Self.height)@30")
            let folder = try TemporaryFolder()
            let run = try BoardDeck(.hardware, layout: .nv16, folder)
            try run.present()
            #expect(run.deck.status.encoder.contains("converted"), "\(run.deck.status.encoder)")
            let fed = try FedPicture("NV16", width: Self.width, height: Self.height)
            for number in 1...5 {
                // The third press comes before the next encoder is there.
                if number != 3 { usleep(500_000) }
                run.deck.still(number: number)
                let before = try self.number(in: pixels(of: still(run, number), folder))
                let (press, result) = try run.take(number, pictures: 8)
                #expect(result.failure == nil)
                #expect(try #require(result.firstFrameTime) >= press)
                let path = try #require(result.paths.first)
                let pictures = try RecordedPictures(of: path, fed)
                #expect(pictures.wrong == 0, "\(pictures)")
                #expect(try #require(pictures.numbers.first) >= before)
                #expect(try Kinebox.run("check", path).exitCode == 0)
            }
            #expect(!run.events.contains { if case .source(.absent) = $0 { true } else { false } })
            try Board.control("hdmi", "unfeed")
        }

        @Test("fifty pauses with a sound card: picture and sound stay as long as each other")
        func pauses() throws {
            try Board.control("hdmi", "on", "640x480@59")
            try Board.control("sound", "play", "1000")
            let folder = try TemporaryFolder()
            let run = try BoardDeck(.hardware, sound: true, folder)
            try run.present()
            let (_, result) = try run.take(1, pictures: 30) {
                for number in 0..<50 {
                    run.deck.pause(take: 1)
                    usleep(UInt32(number) * 2000)
                    run.deck.resume(take: 1)
                    usleep(100_000)
                }
            }
            #expect(result.failure == nil)
            let file = try RecordedFile(try #require(result.paths.first))
            #expect(abs(file.picture - file.sound) < 0.03, "\(file.picture) \(file.sound)")
            #expect(zip(file.times, file.times.dropFirst()).allSatisfy { $0 < $1 })
            #expect(try file.loudness() > -40)
            let span = try #require(result.lastFrameTime) - #require(result.firstFrameTime)
            #expect(file.picture < Double(span) / 1e9 - 1.5, "pauses take no time")
        }

        @Test("a still has the colours of the recording, whoever reads the picture", arguments: [true, false])
        func still(isWarm: Bool) throws {
            try feed()
            let folder = try TemporaryFolder()
            let run = try BoardDeck(.hardware, isWarm: isWarm, folder)
            if isWarm { try run.present() }
            // Between recordings.
            run.deck.still(number: 1)
            let idle = try pixels(of: try still(run, 1), folder)
            #expect(number(in: idle) > 0)
            let (_, result) = try run.take(1, pictures: 20) {
                run.deck.still(number: 2)
                _ = try still(run, 2)
                try run.encoded(45)
            }
            let seen = try pixels(of: try still(run, 2), folder)
            let path = try #require(result.paths.first)
            let fed = try FedPicture("NV12", width: Self.width, height: Self.height)
            let pictures = try RecordedPictures(of: path, fed)
            #expect(pictures.wrong == 0)
            let place = try #require(
                pictures.numbers.firstIndex(of: number(in: seen)), "the still is one of the recording")
            let recorded = try pixels(of: path, picture: place)
            let difference = zip(seen, recorded).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
            #expect(Double(difference) / Double(seen.count) < 6, "\(Double(difference) / Double(seen.count))")
            try Board.control("hdmi", "unfeed")
        }

        private func still(_ run: BoardDeck, _ number: Int) throws -> [UInt8] {
            let result = try run.wait { if case .still(number, let result) = $0 { result } else { nil } }
            guard case .taken(let bytes) = result else {
                Issue.record("\(result)")
                return []
            }
            return bytes
        }

        /// Red, green and blue of a JPEG.
        private func pixels(of still: [UInt8], _ folder: TemporaryFolder) throws -> [UInt8] {
            let path = folder.file("still-\(UInt32.random(in: 0 ... .max)).jpg")
            try StillFile.write(still, at: path)
            return try pixels(of: path, picture: 0)
        }

        private func pixels(of path: String, picture: Int) throws -> [UInt8] {
            let ending = try ChildProcess(
                "ffmpeg",
                [
                    "-nostdin", "-v", "error", "-i", path, "-vf", "select=eq(n\\,\(picture))", "-frames:v", "1", "-f",
                    "rawvideo", "-pix_fmt", "rgb24", "-",
                ]
            ).wait(atMost: 60)
            try #require(ending.output.count == Self.width * Self.height * 3, "\(ending.errors)")
            return Array(ending.output)
        }

        /// The number that a picture carries in its top rows.
        private func number(in pixels: [UInt8]) -> UInt32 {
            (0..<32).reduce(0) { number, bit in
                let place = (16 * Self.width + Self.width / 32 * bit + Self.width / 64) * 3
                return pixels[place + 1] > 128 ? number | 1 << UInt32(bit) : number
            }
        }

        @Test(
            "twenty recordings leave no memory and no descriptor behind",
            arguments: [EncoderPreference.hardware, .software])
        func flat(encoder: EncoderPreference) throws {
            try feed()
            let folder = try TemporaryFolder()
            let run = try BoardDeck(encoder, folder)
            try run.present()
            var figures: [(dirty: Int, descriptors: Int)] = []
            for number in 1...25 {
                let (_, result) = try run.take(number, pictures: 10)
                #expect(result.failure == nil)
                for path in result.paths { unlink(path) }
                run.forget()
                if number % 5 == 0 {
                    // The next encoder is there.
                    usleep(500_000)
                    figures.append((try Self.dirty(), try Self.descriptors()))
                }
            }
            print("after 5, 10, 15, 20 and 25 recordings, \(encoder): \(figures)")
            #expect(figures[4].descriptors <= figures[1].descriptors)
            #expect(figures[4].dirty < figures[1].dirty + 8000, "kB; with a picture each it would be 21 000")
            try Board.control("hdmi", "unfeed")
        }

        /// Kilobytes of memory that is this program's own.
        private static func dirty() throws -> Int {
            let line = try Board.shell("grep Private_Dirty /proc/\(getpid())/smaps_rollup")
            return line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        }

        private static func descriptors() throws -> Int {
            Int(try Board.shell("ls /proc/\(getpid())/fd | wc -l").split(separator: "\n").first ?? "") ?? 0
        }

        @Test("a signal that goes and comes back between recordings, of another size at last")
        func signal() throws {
            try Board.control("hdmi", "on", "640x480@59")
            let folder = try TemporaryFolder()
            let run = try BoardDeck(.hardware, folder)
            try run.present()
            try Board.control("hdmi", "no-signal")
            try run.wait { if case .source(.silent(.noCable)) = $0 { true } else { nil } }
            run.forget()
            try Board.control("hdmi", "on", "640x480@59")
            try run.present()
            let (press, result) = try run.take(1, pictures: 10)
            #expect(result.failure == nil)
            #expect(try #require(result.firstFrameTime) >= press)
            run.forget()
            try Board.control("hdmi", "on", "800x600@60")
            for _ in 0..<600 where run.deck.status.format?.width != 800 { usleep(50_000) }
            let (again, second) = try run.take(2, pictures: 10)
            #expect(second.failure == nil)
            #expect(try #require(second.firstFrameTime) >= again)
            #expect(try RecordedFile(try #require(second.paths.first)).size == "800x600")
            try Board.control("hdmi", "on", "640x480@59")
        }

        @Test("a medium that stands still is told of, and holds up neither the source nor a recording on another one")
        func stalled() throws {
            try Board.control("hdmi", "on", "640x480@59")
            try Board.control("stick", "in", "ext4", "64M")
            try Board.shell("mount /dev/board/stick /mnt")
            let (stick, other) = (try TemporaryFolder(in: "/mnt"), try TemporaryFolder())
            let run = try BoardDeck(.hardware, stick)
            try run.present()
            _ = try run.start(1)
            try run.wait { if case .take(1, .durable) = $0 { true } else { nil } }
            try Board.shell("fsfreeze -f /mnt")
            try run.wait { if case .take(1, .unsaved) = $0 { true } else { nil } }
            try Board.shell("fsfreeze -u /mnt")
            try run.wait { if case .take(1, .saved) = $0 { true } else { nil } }
            try Board.shell("fsfreeze -f /mnt")
            let before = try #require(run.deck.status.recording?.encodedFrames)
            try run.encoded(before + 30)
            run.deck.stop(take: 1)
            let press = try run.start(2, in: other)
            try run.wait { if case .take(2, .durable) = $0 { true } else { nil } }
            run.deck.stop(take: 2)
            let second = try run.ended(2)
            #expect(second.failure == nil)
            #expect(try #require(second.firstFrameTime) >= press)
            #expect(!run.events.contains { if case .take(1, .ended) = $0 { true } else { false } })
            try Board.shell("fsfreeze -u /mnt")
            let first = try run.ended(1)
            #expect(first.failure == nil && first.unfinished.isEmpty)
            for path in first.paths + second.paths { #expect(try Kinebox.run("check", path).exitCode == 0) }
            try Board.shell("rm -r \(stick.path); umount /mnt")
            try Board.control("stick", "out")
        }

        @Test("an input that is not there is told of, and found when it is")
        func absent() throws {
            try Board.control("hdmi", "unplug")
            let folder = try TemporaryFolder()
            let run = try BoardDeck(.hardware, layout: nil, folder)
            try run.wait { if case .source(.absent) = $0 { true } else { nil } }
            try Board.control("hdmi", "plug")
            try run.present()
            let (press, result) = try run.take(1, pictures: 10)
            #expect(result.failure == nil)
            #expect(try #require(result.firstFrameTime) >= press)
        }
    }
}
