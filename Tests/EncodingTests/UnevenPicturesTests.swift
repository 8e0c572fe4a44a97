import Linux
import Media
import Testing

@testable import Encoding

@Suite("Pictures that come only when something changes, and x264")
struct UnevenPicturesTests {
    private static let rate = FrameRate(60) ?? .thirty
    private static let bitrate = 1_000_000

    /// Encodes noise.
    /// - Parameters:
    ///   - periods: from picture to picture.
    ///   - isConstant: whether x264 is told that each lasts for a period.
    private static func stream(every periods: Int, count: Int, isConstant: Bool) throws -> EncodedStream {
        var format = SoftwareEncoderTests.format(320, 240, rate)
        format.hasConstantRate = isConstant
        let encoder = try SoftwareEncoder(SoftwareEncoderTests.configuration(format, bitrate: bitrate))
        return try EncodedStream(encoder, TestPictures(format, noise: 32), count: count) { number in
            rate.nanoseconds(of: Int64(number * periods))
        }
    }

    @Test("the stream says that its rate is fixed only where it is, to others too", arguments: [true, false])
    func timing(isConstant: Bool) throws {
        var format = SoftwareEncoderTests.format(320, 240, Self.rate)
        format.hasConstantRate = isConstant
        let encoder = try SoftwareEncoder(SoftwareEncoderTests.configuration(format))
        let stream = try EncodedStream(encoder, TestPictures(format), count: 3)
        #expect(stream.parameterSets[0] == encoder.parameterSets)
        let set = try SequenceParameterSet(encoder.parameterSets.sequence)
        #expect(set.usability?.timing == VideoUsability.Timing(Self.rate, isFixed: isConstant))
        #expect(set.usability?.color == format.color && set.usability?.restriction?.reorderedFrames == 0)
        #expect(try stream.decoded(encoder.parameterSets).count == 3 * 320 * 240 * 3 / 2)
        let fields = try stream.traced(encoder.parameterSets)
        #expect(fields["fixed_frame_rate_flag"] == (isConstant ? "1" : "0"))
        #expect(fields["num_units_in_tick"] == "1" && fields["time_scale"] == "120")
    }

    @Test("each gives its packet at once, and one for each period is what it is of any source")
    func even() throws {
        let (uneven, even) = try (
            Self.stream(every: 1, count: 150, isConstant: false), Self.stream(every: 1, count: 150, isConstant: true)
        )
        #expect(uneven.pictures == even.pictures)
    }

    @Test("a second's bits are a second's, however many pictures it has", arguments: [4, 12])
    func rate(periods: Int) throws {
        let count = 6 * 60 / periods
        let stream = try Self.stream(every: periods, count: count, isConstant: false)
        let bits = stream.pictures.reduce(0) { $0 + 8 * $1.bytes.count }
        #expect(bits > 6 * Self.bitrate / 2 && bits < 6 * Self.bitrate * 5 / 4, "\(bits)")
        let blind = try Self.stream(every: periods, count: count, isConstant: true)
        #expect(bits > 2 * blind.pictures.reduce(0) { $0 + 8 * $1.bytes.count })
    }

    @Test("key frames of a still screen are not starved")
    func still() throws {
        func keys(_ isConstant: Bool) throws -> [Int] {
            try Self.stream(every: 60, count: 20, isConstant: isConstant).pictures.dropFirst(4).filter(\.isKeyFrame)
                .map(\.bytes.count)
        }
        let (told, blind) = try (keys(false), keys(true))
        #expect(told.count == 8 && blind.count == 8)
        #expect(told.reduce(0, +) > 3 * blind.reduce(0, +), "\(told) \(blind)")
        #expect(told.allSatisfy { 8 * $0 < Self.bitrate }, "\(told)")
    }

    @Test("how many pictures' bits are spent is told once for each change")
    func spans() {
        var span = PictureSpan(rate: Self.rate)
        // At most a quarter of a second.
        let told = [0, 1, 2, 6, 10, 11, 71, 131, 132].map { (blank: Int64) in
            span.note(MonotonicTime(nanoseconds: 5 + Self.rate.nanoseconds(of: blank)))
        }
        #expect(told == [nil, nil, nil, 4, nil, 1, 15, nil, 1])
        var slow = PictureSpan(rate: FrameRate(2) ?? .thirty)
        #expect(slow.note(MonotonicTime(nanoseconds: 1)) == nil)
        let late = slow.note(MonotonicTime(nanoseconds: 9_000_000_000))
        #expect(late == nil, "one lasts longer than that anyway")
    }
}
