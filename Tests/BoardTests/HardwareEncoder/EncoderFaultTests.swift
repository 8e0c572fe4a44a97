import CKernel
import Glibc
import Linux
import Media
import Testing
import V4L2

@testable import Encoding

extension BoardTests {
    /// What real encoders do wrong, one after the other.
    @Suite("Hardware encoder with faults")
    struct EncoderFaultTests {
        static let both = ["/dev/board/encoder", "/dev/board/encoder-planes"]
        private static let allControls =
            "bitrate,bitrate_mode,rate_control,b_frames,gop_size,i_period,min_qp,max_qp,profile,level,header_mode,"
            + "repeat_headers,force_key_frame,min_buffers"

        @Test("pictures that the encoder leaves out are counted, and the others keep their times", arguments: both)
        func drops(path: String) throws {
            try EncoderFault.during(["drop_every": "5"]) {
                for input in [HardwareEncoder.Input.written, .copied] {
                    let run = try EncoderRun(EncoderRun.Plan(path: path, input: input, count: 30))
                    #expect(run.numbers == (0..<30).filter { $0 % 5 != 4 })
                    #expect(run.skipped == 6)
                    try run.expectExact()
                }
            }
        }

        @Test(
            "parameter sets alone and a first time of 0 are no pictures and no other times",
            arguments: [
                ["headers_alone": "1"], ["first_time_zero": "1"], ["headers_alone": "1", "first_time_zero": "1"],
                ["no_keyframe_flag": "1"],
            ])
        func firstBuffers(faults: [String: String]) throws {
            try EncoderFault.during(faults) {
                let runs = try Self.both.map { try EncoderRun(EncoderRun.Plan(path: $0)) }
                for run in runs {
                    #expect(run.numbers == Array(0..<12))
                    #expect(run.pictures.map(\.isKeyFrame) == [true] + Array(repeating: false, count: 11))
                    #expect(run.parameterSets.count == 1)
                }
                #expect(runs[0].pictures.map(\.bytes) == runs[1].pictures.map(\.bytes))
                try runs[0].expectExact()
            }
        }

        @Test("without any control the stream is whole, and key frames come by themselves", arguments: both)
        func noControls(path: String) throws {
            try EncoderFault.during(["absent_controls": Self.allControls]) {
                let run = try EncoderRun(EncoderRun.Plan(path: path, count: 70, forced: [7]))
                #expect(run.numbers == Array(0..<70))
                #expect(run.pictures.indices.filter { run.pictures[$0].isKeyFrame } == [0, 60])
                try run.expectExact()
            }
        }

        @Test("without the command for the end, all that is inside comes out", arguments: both)
        func noCommand(path: String) throws {
            try EncoderFault.during(["no_encoder_cmd": "1"]) {
                try EncoderRun.expect(EncoderRun.Plan(path: path), gives: Array(0..<12))
                try EncoderRun.expect(EncoderRun.Plan(path: path, count: 0), gives: [])
            }
        }

        @Test("lines as long as the encoder wants them", arguments: both)
        func lineLength(path: String) throws {
            try EncoderFault.during(["stride_align": "64"]) {
                let written = try EncoderRun(EncoderRun.Plan(path: path))
                try written.expectExact()
                for input in [HardwareEncoder.Input.copied, .lent, .imported] {
                    let run = try EncoderRun(EncoderRun.Plan(path: path, input: input))
                    #expect(run.numbers == Array(0..<12))
                    #expect(run.pictures.map(\.bytes) == written.pictures.map(\.bytes))
                }
                // Where the pictures lie already, they cannot be asked to lie otherwise.
                var plan = EncoderRun.Plan(path: path, input: .imported)
                plan.bytesPerLine = plan.width
                let failure = #expect(throws: Failure.self) { try HardwareEncoder(plan.configuration) }
                #expect(failure?.kind == .encoderFailed && failure?.cause.contains("192") == true)
            }
        }

        @Test("pictures that are cut off in their headers are left out up to the next key frame, which comes soon")
        func cutHeaders() throws {
            try EncoderFault.during(["truncate_every": "10"]) {
                let run = try EncoderRun(EncoderRun.Plan(count: 29, repetitions: 29))
                #expect(run.damaged >= 2)
                #expect(run.pictures.count + Int(run.damaged) == 29)
                let broken = [9, 19]
                for number in broken {
                    #expect(!run.numbers.contains(number))
                    // What follows begins with a key frame, a few pictures later.
                    let next = try #require(run.pictures.first { $0.number > number })
                    #expect(next.isKeyFrame && next.number < number + 5)
                }
                try run.expectExact()
            }
        }

        @Test("pictures that are cut off within their samples keep their places and times")
        func cutSamples() throws {
            try EncoderFault.during(["truncate_every": "4"]) {
                let run = try EncoderRun(EncoderRun.Plan(count: 20))
                #expect(run.numbers == run.numbers.sorted() && Set(run.numbers).count == run.numbers.count)
                #expect(run.pictures.count + Int(run.damaged) == 20)
            }
        }

        @Test("an encoder that stands still is given up, its frames come back, and another one works", arguments: both)
        func stall(path: String) throws {
            try EncoderFault.during(["stall_after": "3"]) {
                let plan = EncoderRun.Plan(path: path, count: 20)
                let encoder = try HardwareEncoder(plan.configuration)
                let failure = #expect(throws: Failure.self) { try EncoderRun(plan, encoder) }
                #expect(failure?.kind == .encoderFailed && failure?.cause.contains("stands still") == true)
                #expect(encoder.room == 0)
                var numbers: [Int] = []
                while let frame = encoder.nextReleasedFrame() { numbers.append(frame.index) }
                #expect(numbers.count >= 1 && Set(numbers).count == numbers.count)
                encoder.close()
            }
            try EncoderRun.expect(EncoderRun.Plan(path: path), gives: Array(0..<12))
        }

        @Test("a device that hangs when it is stopped holds nobody up", arguments: both)
        func hang(path: String) throws {
            try EncoderFault.during(["hang_streamoff_ms": "60000"]) {
                let plan = EncoderRun.Plan(path: path)
                for number in 1...3 {
                    try EncoderRun.expect(plan, gives: Array(0..<12))
                    #expect(V4L2Disposal.pending(at: path) == number, "it still hangs")
                }
            }
            #expect(Self.isClosed(path))
        }

        @Test("an encoder that comes when nobody waits for it any longer is closed", arguments: both)
        func lateOpening(path: String) throws {
            let plan = EncoderRun.Plan(path: path)
            try EncoderFault.during(["hang_streamoff_ms": "60000"]) {
                let opening = try EncoderOpening()
                #expect(opening.take() == nil, "nothing has come, and nothing is waited for")
                opening.finish(EncoderOpening.tried(plan.configuration, until: .now))
                #expect(opening.take() == nil)
                #expect(V4L2Disposal.pending(at: path) == 1, "it is being closed, and hangs")
                let encoder = try HardwareEncoder.open(plan.configuration, within: 60_000)
                #expect(encoder.room > 0, "another one is opened meanwhile")
                encoder.close()
                #expect(V4L2Disposal.pending(at: path) == 2)
            }
            #expect(Self.isClosed(path))
        }

        @Test("the level suffices for an encoder that insists on it; without it, the refusal is told", arguments: both)
        func level(path: String) throws {
            for (width, height, rate) in [(176, 144, 30), (1280, 720, 60), (1920, 1080, 60), (2560, 1440, 30)] {
                var plan = EncoderRun.Plan(path: path, width: width, height: height)
                plan.rate = try #require(FrameRate(Int64(rate)))
                try EncoderFault.during(["refuse_low_level": "1"]) {
                    let encoder = try HardwareEncoder(plan.configuration)
                    #expect(encoder.room > 0, "it was started")
                    encoder.close()
                }
            }
            var plan = EncoderRun.Plan(path: path, width: 1920, height: 1080)
            plan.rate = try #require(FrameRate(60))
            try EncoderFault.during(["refuse_low_level": "1", "absent_controls": "level"]) {
                let failure = #expect(throws: Failure.self) { try HardwareEncoder(plan.configuration) }
                #expect(failure?.kind == .encoderFailed)
            }
            #expect(Self.isClosed(path))
        }

        @Test("a level that the encoder finds too low is raised until it starts", arguments: both)
        func raisedLevel(path: String) throws {
            let level = UInt32(V4L2_CID_MPEG_VIDEO_H264_LEVEL)
            try EncoderFault.during(["refuse_low_level": "1"]) {
                let plan = EncoderRun.Plan(path: path, width: 640, height: 480)
                let device = try V4L2Device(opening: path, through: .library)
                let types = try #require(device.conversionTypes)
                let format = try EncoderSetup.setFormats(device, types, plan.configuration)
                var controls = EncoderControls(device, plan.configuration)
                let enough = try device.value(level)
                try device.set(level, to: 0)
                let raw = try V4L2Queue(device, types.input, format, count: 2)
                let coded = try V4L2Queue(device, types.output, try device.format(types.output), count: 2)
                try EncoderSetup.start(device, raw, coded, &controls)
                #expect(raw.isStreaming && coded.isStreaming && coded.queued == 2)
                #expect(try device.value(level) > enough, "a step above what is usually enough")
                V4L2Disposal.dispose(device, [raw, coded])
            }
            #expect(Self.isClosed(path))
        }

        /// Whether all that was given up is closed after a while.
        static func isClosed(_ path: String) -> Bool {
            for _ in 0..<6000 where V4L2Disposal.pending(at: path) > 0 { usleep(10_000) }
            return V4L2Disposal.pending(at: path) == 0
        }
    }
}
