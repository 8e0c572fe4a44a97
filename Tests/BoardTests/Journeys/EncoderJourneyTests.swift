import Glibc
import Judges
import Testing

extension BoardTests {
    @Suite("An encoder that does wrong while it records")
    struct EncoderJourneyTests {
        init() throws {
            try Board.control("hdmi", "on", "640x480@59")
            try Board.control("sound", "play", "1000")
        }

        @Test("pictures that are made in memory are copied into it")
        func memory() throws {
            let file = "/tmp/memory.mp4"
            defer { unlink(file) }
            let ending = try Kinebox.run(
                "record", "--video", "test", "--size", "320x240", "--rate", "15", "--encoder", "hardware", "--duration",
                "2", file)
            #expect(ending.exitCode == 0 && ending.errors.contains("copied into the encoder"), "\(ending)")
            let recorded = try RecordedFile(file)
            #expect(recorded.pictures > 0 && abs(recorded.picture - recorded.sound) < 0.05)
        }

        @Test("one that stands still is opened again, and the same file goes on with a key frame")
        func once() throws {
            let journey = try RecordingJourney()
            // The fault is over before the new stream has as many pictures.
            try EncoderFault.during(["stall_after": "45", "stall_ms": "0"]) {
                try journey.waitFor("was opened again")
            }
            try journey.goOn()
            let ending = journey.end()
            #expect(ending.exitCode == 0, "\(ending)")
            #expect(ending.errors.components(of: "was opened again") == 1 && !ending.errors.contains("the processor"))
            #expect(journey.files.count == 1)
            let file = try RecordedFile(journey.files[0])
            // The gap of a second is where it stood still.
            let gap = zip(file.times, file.times.dropFirst()).enumerated().max {
                $0.element.1 - $0.element.0 < $1.element.1 - $1.element.0
            }
            let place = try #require(gap?.offset)
            #expect(file.keyFrames.contains(place + 1))
            #expect(abs(file.picture - file.sound) < 0.05)
            #expect(
                try file.loudness(from: file.times[place], to: file.times[place + 1]) > -40,
                "the sound goes on meanwhile")
            try RecordingJourney.recordAgain()
        }

        @Test("one that stands still twice is given up, and the processor encodes")
        func twice() throws {
            try EncoderFault.during(["stall_after": "30", "stall_ms": "0"]) {
                let journey = try RecordingJourney()
                try journey.waitFor("the processor encodes from here on")
                try journey.goOn(fragments: 3)
                let ending = journey.end()
                #expect(ending.exitCode == 0, "\(ending)")
                let files = try journey.files.map { try RecordedFile($0) }
                #expect(files.count == 2, "other parameter sets are another part")
                for file in files { #expect(abs(file.picture - file.sound) < 0.05) }
            }
            try RecordingJourney.recordAgain()
        }

        @Test("one that hangs when it is closed holds neither the file nor the command up")
        func hanging() throws {
            try EncoderFault.during(["hang_streamoff_ms": "60000"]) {
                let journey = try RecordingJourney()
                try journey.goOn(fragments: 1)
                let ending = journey.end()
                #expect(ending.exitCode == 0, "\(ending)")
                #expect(try RecordedFile(journey.files[0]).pictures > 0)
                try RecordingJourney.recordAgain()
            }
            try RecordingJourney.recordAgain()
        }

        @Test("one that stands still and then hangs does not hold the recording up")
        func hangingOnTheWay() throws {
            let journey = try RecordingJourney()
            try EncoderFault.during(["hang_streamoff_ms": "60000", "stall_after": "10", "stall_ms": "0"]) {
                try journey.waitFor("the processor encodes from here on")
                try journey.goOn(fragments: 2)
                let ending = journey.end()
                #expect(ending.exitCode == 0, "\(ending)")
                for file in journey.files { #expect(try RecordedFile(file).pictures > 0) }
            }
            try RecordingJourney.recordAgain()
        }

        @Test(
            "others that do not what they should",
            arguments: [
                ["drop_every": "7"], ["no_encoder_cmd": "1"], ["first_time_zero": "1", "headers_alone": "1"],
                ["no_keyframe_flag": "1"], ["refuse_low_level": "1"],
                ["absent_controls": "bitrate,gop_size,i_period,repeat_headers,header_mode,force_key_frame"],
            ])
        func other(settings: [String: String]) throws {
            try EncoderFault.during(settings) {
                let journey = try RecordingJourney()
                try journey.goOn()
                let ending = journey.end()
                #expect(ending.exitCode == 0, "\(ending)")
                #expect(
                    !ending.errors.contains("was opened again") && !ending.errors.contains("the processor"),
                    "\(ending.errors)")
                #expect(journey.files.count == 1)
                let file = try RecordedFile(journey.files[0])
                #expect(file.keyFrames.first == 0 && file.pictures > 0)
                #expect(abs(file.picture - file.sound) < 0.05)
            }
            try RecordingJourney.recordAgain()
        }
    }
}
