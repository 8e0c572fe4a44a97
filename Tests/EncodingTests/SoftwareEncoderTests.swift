import Encoding
import Linux
import Media
import Testing

@Suite("The software encoder")
struct SoftwareEncoderTests {
    static func format(
        _ width: Int = 320, _ height: Int = 240, _ rate: FrameRate = .thirty, _ pixels: PixelFormat = .nv12
    ) -> VideoFormat {
        VideoFormat(
            width: width, height: height, pixelFormat: pixels, rate: rate,
            color: .standard(width: width, height: height))
    }

    static func configuration(
        _ format: VideoFormat, bitrate: Int? = nil, threads: Int = 1, effort: SoftwareEncoder.Effort = .superfast
    ) -> SoftwareEncoder.Configuration {
        var configuration = SoftwareEncoder.Configuration(format: format, bitrate: bitrate)
        configuration.preset = .fixed(effort)
        configuration.threads = threads
        return configuration
    }

    @Test(
        "pictures of any size come back as they went in, and the stream says what they are",
        arguments: [(160, 120, "11"), (1366, 768, "32"), (1296, 972, "32"), (1920, 1080, "40")],
        [PixelFormat.nv12, .yuv420])
    func sizes(size: (Int, Int, String), pixels: PixelFormat) throws {
        let format = Self.format(size.0, size.1, .thirty, pixels)
        let pictures = TestPictures(format)
        let encoder = try SoftwareEncoder(Self.configuration(format, threads: 2))
        let stream = try EncodedStream(encoder, pictures, count: 4)
        let decoded = try stream.decoded(encoder.parameterSets)
        let count = size.0 * size.1 * 3 / 2
        try #require(decoded.count == 4 * count)
        for number in 0..<4 {
            let original = pictures.planar(number)
            var difference = 0
            for index in 0..<count { difference += abs(Int(decoded[number * count + index]) - Int(original[index])) }
            #expect(difference < 3 * count, "picture \(number) is not the one that went in")
        }
        let values = try stream.probed(encoder.parameterSets)
        #expect(values["width"] == "\(size.0)" && values["height"] == "\(size.1)")
        #expect(values["profile"] == "High" && values["level"] == size.2)
        #expect(values["has_b_frames"] == "0" && values["refs"] == "1" && values["pix_fmt"] == "yuv420p")
        #expect(values["sample_aspect_ratio"] == "1:1" && values["field_order"] == "progressive")
        #expect(values["color_range"] == "tv")
        let color = size.1 >= 720 ? "bt709" : "smpte170m"
        #expect(values["color_space"] == color && values["color_transfer"] == color)
        #expect(values["color_primaries"] == color)
    }

    @Test(
        "the stream's own rate is the source's, and packets carry the frames' times to the nanosecond",
        arguments: [(1, 1), (2, 1), (30000, 1001), (30, 1), (50, 1), (60000, 1001), (60, 1)] as [(Int64, Int64)])
    func rates(numerator: Int64, denominator: Int64) throws {
        let rate = try #require(FrameRate(numerator, denominator))
        let format = Self.format(160, 120, rate)
        let encoder = try SoftwareEncoder(Self.configuration(format))
        let count = Int(rate.perSecond * 5) + 1
        let stream = try EncodedStream(encoder, TestPictures(format), count: count)
        #expect(stream.pictures.count == count)
        for (number, picture) in stream.pictures.enumerated() {
            #expect(picture.time.nanoseconds == 1_000_000_007 + rate.nanoseconds(of: Int64(number)))
        }
        // A key frame every two seconds.
        let keys = stream.pictures.indices.filter { stream.pictures[$0].isKeyFrame }
        #expect(keys == (0...2).map { Int((rate.perSecond * 2).rounded()) * $0 })
        let values = try stream.probed(encoder.parameterSets)
        // Of a bare stream, ffprobe from version 7 on tells the rate of the fields.
        let told = try #require(values["r_frame_rate"])
        #expect([rate.numerator, 2 * rate.numerator].map { "\($0)/\(rate.denominator)" }.contains(told))
        let usability = try #require(try SequenceParameterSet(encoder.parameterSets.sequence).usability)
        #expect(usability.timing == VideoUsability.Timing(rate))
        #expect(usability.color == .bt601 && usability.restriction?.reorderedFrames == 0)
    }

    @Test("full range and unusual colours are said in the stream")
    func color() throws {
        var format = Self.format()
        format.color = ColorDescription(primaries: 5, transfer: 13, matrix: 5, isFullRange: true)
        let encoder = try SoftwareEncoder(Self.configuration(format))
        let set = try SequenceParameterSet(encoder.parameterSets.sequence)
        #expect(set.usability?.color == format.color)
    }

    @Test("NV12 and YUV420 give the same stream")
    func layouts() throws {
        let streams = try [PixelFormat.nv12, .yuv420].map { pixels in
            let format = Self.format(1366, 768, .thirty, pixels)
            return try EncodedStream(
                SoftwareEncoder(Self.configuration(format)), TestPictures(format, noise: 16), count: 5)
        }
        #expect(streams[0].pictures == streams[1].pictures)
    }

    @Test(
        "packets hold slices alone, as many as there are threads, and the first has the parameter sets",
        arguments: [1, 2])
    func units(threads: Int) throws {
        let format = Self.format()
        let encoder = try SoftwareEncoder(Self.configuration(format, threads: threads))
        let stream = try EncodedStream(encoder, TestPictures(format, noise: 16), count: 70)
        #expect(stream.pictures.count == 70)
        #expect(stream.parameterSets == [0: encoder.parameterSets])
        let sequence = try SequenceParameterSet(encoder.parameterSets.sequence)
        for picture in stream.pictures {
            try picture.bytes.withUnsafeBytes { bytes in
                var units = LengthPrefixedNALUnits(bytes)
                var slices: [SliceHeader] = []
                while let unit = units.next() {
                    #expect(unit.kind == (picture.isKeyFrame ? .idrSlice : .slice))
                    slices.append(try SliceHeader(unit, sequence: sequence))
                }
                #expect(!units.isDamaged && slices.count == threads && slices.first?.firstMacroblock == 0)
                #expect(slices.allSatisfy { $0.kind == (picture.isKeyFrame ? .i : .p) })
            }
        }
        #expect(try stream.decoded(encoder.parameterSets).count == 70 * 320 * 240 * 3 / 2)
    }

    @Test("a key frame that is asked for comes at exactly that frame")
    func forced() throws {
        let format = Self.format()
        let encoder = try SoftwareEncoder(Self.configuration(format))
        let stream = try EncodedStream(encoder, TestPictures(format), count: 100, forced: [1, 17, 18])
        // And from each key frame on, two seconds pass until the next.
        #expect(stream.pictures.indices.filter { stream.pictures[$0].isKeyFrame } == [0, 1, 17, 18, 78])
    }

    @Test("a source that gives half its frames still has a key frame every two seconds")
    func sparse() throws {
        let format = Self.format()
        let encoder = try SoftwareEncoder(Self.configuration(format))
        let stream = try EncodedStream(encoder, TestPictures(format), count: 80) { number in
            format.rate.nanoseconds(of: Int64(2 * number))
        }
        #expect(stream.pictures.indices.filter { stream.pictures[$0].isKeyFrame } == [0, 30, 60])
    }

    @Test("the bit rate holds over each second on noise")
    func bitrate() throws {
        let format = Self.format(640, 360)
        let bitrate = 2_000_000
        let encoder = try SoftwareEncoder(Self.configuration(format, bitrate: bitrate))
        let stream = try EncodedStream(encoder, TestPictures(format, noise: 32), count: 240)
        // A decoder's buffer of one second that fills at the bit rate must never run empty.
        var buffer = Double(bitrate)
        for picture in stream.pictures {
            buffer -= Double(picture.bytes.count * 8)
            #expect(buffer > 0)
            buffer = min(buffer + Double(bitrate) / 30, Double(bitrate))
        }
        let average = stream.pictures.dropFirst(60).reduce(0) { $0 + $1.bytes.count * 8 } / 6
        #expect(abs(average - bitrate) < bitrate / 10, "the average is \(average)")
    }

    @Test("each preset encodes", arguments: SoftwareEncoder.Effort.allCases)
    func presets(effort: SoftwareEncoder.Effort) throws {
        let format = Self.format(1280, 720)
        let encoder = try SoftwareEncoder(Self.configuration(format, threads: 2, effort: effort))
        #expect(encoder.name == "x264 \(effort.rawValue)")
        let stream = try EncodedStream(encoder, TestPictures(format), count: 3)
        let values = try stream.probed(encoder.parameterSets)
        #expect(
            values["level"] == "31" && values["profile"] == (effort == .ultrafast ? "Constrained Baseline" : "High"))
        #expect(try stream.decoded(encoder.parameterSets).count == 3 * 1280 * 720 * 3 / 2)
    }

    @Test("the usual bit rate grows with size and rate, but less")
    func usualBitrate() throws {
        func usual(_ width: Int, _ height: Int, _ rate: Int64) throws -> Int {
            SoftwareEncoder.Configuration.usualBitrate(
                width: width, height: height, rate: try #require(FrameRate(rate)))
        }
        #expect(try usual(1920, 1080, 30) == 6_000_000)
        #expect(try usual(1920, 1080, 60) == 10_100_000)
        #expect(try usual(1280, 720, 30) == 3_250_000)
        #expect(try usual(3840, 2160, 30) == 16_950_000)
        #expect(try usual(16, 16, 1) == 100_000)
    }

    @Test("a value that cannot be is refused with its name")
    func refused() throws {
        func refusal(_ change: (inout SoftwareEncoder.Configuration) -> Void) -> Failure? {
            var configuration = Self.configuration(Self.format())
            change(&configuration)
            do throws(Failure) {
                _ = try SoftwareEncoder(configuration)
                return nil
            } catch {
                return error
            }
        }
        let refusals: [(String, Failure?)] = [
            ("14x240", refusal { $0.format.width = 14 }), ("320x16386", refusal { $0.format.height = 16386 }),
            ("321x240", refusal { $0.format.width = 321 }), ("320x-2", refusal { $0.format.height = -2 }),
            ("YUYV", refusal { $0.format.pixelFormat = .yuyv }), ("at 0 bits", refusal { $0.bitrate = 0 }),
            ("65 threads", refusal { $0.threads = 65 }), ("every 0 seconds", refusal { $0.keyFrameSeconds = 0 }),
            (
                "16384x16384",
                refusal {
                    $0.format.width = 16384; $0.format.height = 16384
                }
            ),
        ]
        for (word, failure) in refusals {
            #expect(
                failure?.kind == .invalidValue && failure?.thing.contains(word) == true, "\(word): \(failure as Any)")
        }
        #expect(SoftwareEncoder.Preset(name: "fastest") == nil)
        #expect(SoftwareEncoder.Preset(name: "veryfast") == .fixed(.veryfast))
        #expect(SoftwareEncoder.Preset(name: "automatic") == .automatic)
    }

    @Test("who takes no packets fills the encoder, and loses nothing")
    func full() throws {
        let format = Self.format(160, 120)
        let encoder = try SoftwareEncoder(Self.configuration(format))
        let pictures = TestPictures(format)
        var submitted = 0
        var released = 0
        var quiet = 0
        // Enough rounds without room say that it is full for good.
        while quiet < 200 {
            let frame = VideoFrame(index: submitted, width: 160, height: 120, pixelFormat: .nv12)
            pictures.draw(submitted, into: frame)
            frame.time = MonotonicTime(nanoseconds: Int64(submitted))
            if encoder.room > 0 {
                #expect(try encoder.submit(frame, forcingKeyFrame: false))
                submitted += 1
                quiet = 0
            } else {
                #expect(try !encoder.submit(frame, forcingKeyFrame: false))
                quiet += 1
            }
            while encoder.nextReleasedFrame() != nil { released += 1 }
        }
        #expect(submitted - released <= 8 && submitted >= 16)
        try encoder.drain()
        var times: [Int64] = []
        while !encoder.isDrained {
            while let packet = try encoder.nextPacket() {
                times.append(packet.time.nanoseconds)
                encoder.recycle(packet)
            }
            if !encoder.isDrained { try EncodedStream.wait(for: encoder) }
        }
        #expect(times == (0..<Int64(submitted)).map { $0 })
    }

    @Test("an encoder that is dropped in the middle of its work ends")
    func dropped() throws {
        let format = Self.format(1280, 720)
        do {
            let encoder = try SoftwareEncoder(Self.configuration(format))
            for number in 0..<6 {
                let frame = VideoFrame(index: number, width: 1280, height: 720, pixelFormat: .nv12)
                TestPictures(format).draw(0, into: frame)
                frame.time = MonotonicTime(nanoseconds: Int64(number))
                #expect(try encoder.submit(frame, forcingKeyFrame: false))
            }
        }
    }
}
