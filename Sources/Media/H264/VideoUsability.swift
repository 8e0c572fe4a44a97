/// Video usability information: how decoded samples are meant to be shown, and how the stream behaves
/// (Rec. ITU-T H.264, annex E). What is nil is not said in the stream.
public struct VideoUsability: Hashable, Sendable {
    /// The shape of a pixel; nil also for a number that the standard reserves.
    public var sampleAspectRatio: SampleAspectRatio?
    /// overscan_appropriate_flag.
    public var isOverscanAppropriate: Bool?
    /// video_format, 0…7: 5 is unspecified. It is written only along with `color`.
    public var videoFormat: UInt8 = 5
    /// Range, primaries, transfer and matrix; the latter three are 2 where the stream says the range alone.
    public var color: ColorDescription?
    /// Where chroma samples lie.
    public var chromaLocation: ChromaLocation?
    /// The clock tick that all times of the stream are counted in.
    public var timing: Timing?
    /// nal_hrd_parameters( ).
    public var nalReferenceDecoder: ReferenceDecoder?
    /// vcl_hrd_parameters( ).
    public var vclReferenceDecoder: ReferenceDecoder?
    /// low_delay_hrd_flag, which is there only along with a reference decoder.
    public var isLowDelay = false
    /// pic_struct_present_flag.
    public var hasPictureStructure = false
    /// What the stream promises about motion vectors and order.
    public var restriction: Restriction?

    /// VUI that says nothing.
    public init() {}

    /// All that a recording's stream should say: square pixels, colour, rate, and that pictures come in order.
    /// - Parameters:
    ///   - color: what the samples mean.
    ///   - rate: pictures a second; a rate whose numbers do not fit in 31 bits is left out.
    ///   - isFixed: whether each picture lasts as long as the rate says.
    ///   - referenceFrames: max_num_ref_frames of the sequence parameter set, 0…16.
    public init(color: ColorDescription, rate: FrameRate, isFixed: Bool = true, referenceFrames: Int) {
        sampleAspectRatio = .square
        self.color = color
        timing = Timing(rate, isFixed: isFixed)
        restriction = Restriction(maximumBufferedFrames: max(referenceFrames, 1))
    }

    /// A pixel's width over its height.
    public struct SampleAspectRatio: Hashable, Sendable {
        public var width: UInt16
        public var height: UInt16

        public init(width: UInt16, height: UInt16) {
            self.width = width
            self.height = height
        }

        /// 1:1.
        public static let square = SampleAspectRatio(width: 1, height: 1)

        /// Table E-1 from aspect_ratio_idc 1 on.
        static let known: [SampleAspectRatio] = [
            (1, 1), (12, 11), (10, 11), (16, 11), (40, 33), (24, 11), (20, 11), (32, 11), (80, 33), (18, 11), (15, 11),
            (64, 33), (160, 99), (4, 3), (3, 2), (2, 1),
        ].map { SampleAspectRatio(width: $0.0, height: $0.1) }
    }

    /// chroma_sample_loc_type_top_field and _bottom_field, each 0…5.
    public struct ChromaLocation: Hashable, Sendable {
        public var top: UInt8
        public var bottom: UInt8

        public init(top: UInt8, bottom: UInt8) {
            self.top = top
            self.bottom = bottom
        }
    }

    /// The clock tick; a picture lasts two ticks (E.2.1).
    public struct Timing: Hashable, Sendable {
        /// num_units_in_tick.
        public var unitsInTick: UInt32
        /// time_scale: units a second.
        public var timeScale: UInt32
        /// fixed_frame_rate_flag.
        public var isFixed: Bool

        public init(unitsInTick: UInt32, timeScale: UInt32, isFixed: Bool) {
            self.unitsInTick = unitsInTick
            self.timeScale = timeScale
            self.isFixed = isFixed
        }

        /// Pictures a second, at most where that is not fixed; nil when the numbers do not fit in 31 bits.
        public init?(_ rate: FrameRate, isFixed: Bool = true) {
            guard rate.numerator <= Int64(Int32.max), rate.denominator <= Int64(Int32.max) else { return nil }
            self.init(
                unitsInTick: UInt32(rate.denominator), timeScale: UInt32(rate.numerator) * 2, isFixed: isFixed)
        }

        /// Pictures a second; nil where the numbers make no sense.
        public var rate: FrameRate? { FrameRate(Int64(timeScale), Int64(unitsInTick) * 2) }
    }

    /// hrd_parameters( ): one leaky bucket or more that the stream fits through (E.1.2).
    public struct ReferenceDecoder: Hashable, Sendable {
        /// bit_rate_scale and cpb_size_scale, each 0…15.
        public var rateScale: UInt8
        public var sizeScale: UInt8
        /// 1…32 buckets.
        public var buckets: [Bucket]
        /// The four lengths that follow: initial removal delay, removal delay, output delay (minus 1 each), time offset.
        public var lengths: [UInt8]

        /// bit_rate_value_minus1, cpb_size_value_minus1 and cbr_flag.
        public struct Bucket: Hashable, Sendable {
            public var rate: UInt32
            public var size: UInt32
            public var isConstantRate: Bool
        }

        /// Bits a second of the first bucket.
        public var bitRate: UInt64 { buckets.first.map { (UInt64($0.rate) + 1) << UInt64(6 + rateScale) } ?? 0 }
        /// Bits that the first bucket holds.
        public var bufferSize: UInt64 { buckets.first.map { (UInt64($0.size) + 1) << UInt64(4 + sizeScale) } ?? 0 }
    }

    /// bitstream_restriction (E.2.1).
    public struct Restriction: Hashable, Sendable {
        /// motion_vectors_over_pic_boundaries_flag.
        public var allowsVectorsOverEdges = true
        /// max_bytes_per_pic_denom and max_bits_per_mb_denom, 0…16; 0 is no limit.
        public var maximumBytesDenominator: UInt8 = 0
        public var maximumBitsDenominator: UInt8 = 0
        /// log2_max_mv_length_horizontal and _vertical, 0…16.
        public var horizontalVectorLog: UInt8 = 15
        public var verticalVectorLog: UInt8 = 15
        /// max_num_reorder_frames: 0 when pictures are shown in the order in which they are coded.
        public var reorderedFrames = 0
        /// max_dec_frame_buffering, at least max_num_ref_frames.
        public var maximumBufferedFrames: Int

        public init(maximumBufferedFrames: Int) {
            self.maximumBufferedFrames = maximumBufferedFrames
        }
    }
}
