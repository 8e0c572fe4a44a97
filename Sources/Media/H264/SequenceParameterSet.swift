/// What a sequence parameter set says (Rec. ITU-T H.264, 7.3.2.1.1).
public struct SequenceParameterSet: Hashable, Sendable {
    /// profile_idc: 66 Baseline, 77 Main, 100 High, 110 High 10, 122 High 4:2:2, 244 High 4:4:4 Predictive.
    public let profile: UInt8
    /// The byte between profile and level: constraint_set0_flag is its highest bit.
    public let constraints: UInt8
    /// level_idc: ten times the level's number (9 for level 1b in the High profiles).
    public let level: UInt8
    /// seq_parameter_set_id, 0…31.
    public let id: Int
    /// chroma_format_idc: 0 monochrome, 1 4:2:0, 2 4:2:2, 3 4:4:4.
    public let chromaFormat: Int
    /// separate_colour_plane_flag.
    public let hasSeparatePlanes: Bool
    /// Bits of a luma sample, 8…14.
    public let lumaBitDepth: Int
    /// Bits of a chroma sample, 8…14.
    public let chromaBitDepth: Int
    /// Bits of frame_num in slice headers, 4…16.
    public let frameNumberBits: Int
    /// pic_order_cnt_type, 0…2: 2 means that pictures are shown in the order in which they are coded.
    public let pictureOrderType: Int
    /// max_num_ref_frames, 0…16.
    public let referenceFrames: Int
    /// Luma samples a line as coded, a multiple of 16.
    public let codedWidth: Int
    /// Lines as coded, a multiple of 16 (of 32 where fields are allowed).
    public let codedHeight: Int
    /// frame_mbs_only_flag: no picture is coded as fields.
    public let isProgressive: Bool
    /// Luma samples that are cut off at each side.
    public let crop: Crop
    /// The VUI, where there is one.
    public let usability: VideoUsability?
    /// Bits before vui_parameters_present_flag, the header byte and emulation prevention not counted.
    let usabilityPosition: Int

    /// Luma samples that are coded but not shown.
    public struct Crop: Hashable, Sendable {
        /// Samples at each side, 0 or more.
        public var left = 0, right = 0, top = 0, bottom = 0
    }

    /// Pixels a line as shown, 1 or more.
    public var width: Int { codedWidth - crop.left - crop.right }
    /// Lines as shown, 1 or more.
    public var height: Int { codedHeight - crop.top - crop.bottom }

    /// - Parameter nal: the NAL unit without start code and without length.
    /// - Throws: `Failure` of kind damaged when it is no sequence parameter set, ends too early, or holds a value that the
    ///   standard excludes.
    public init(_ nal: [UInt8]) throws(Failure) {
        self = try BitReader.read(nal, of: .sequenceParameterSet, "sequence parameter set") {
            (reader) throws(Failure) in
            try SequenceParameterSet(&reader)
        }
    }

    private init(_ reader: inout BitReader) throws(Failure) {
        profile = UInt8(try reader.bits(8))
        constraints = UInt8(try reader.bits(8))
        level = UInt8(try reader.bits(8))
        id = try reader.unsigned(upTo: 31, "seq_parameter_set_id")
        let chroma = try Self.chroma(&reader, profile: profile)
        chromaFormat = chroma.format
        hasSeparatePlanes = chroma.isSeparate
        lumaBitDepth = chroma.lumaDepth
        chromaBitDepth = chroma.chromaDepth
        frameNumberBits = try reader.unsigned(upTo: 12, "log2_max_frame_num_minus4") + 4
        pictureOrderType = try Self.pictureOrder(&reader)
        referenceFrames = try reader.unsigned(upTo: 16, "max_num_ref_frames")
        _ = try reader.flag()
        // The largest level ends at 1055 macroblocks a side (table A-1).
        codedWidth = (try reader.unsigned(upTo: 1055, "pic_width_in_mbs_minus1") + 1) * 16
        let units = try reader.unsigned(upTo: 1055, "pic_height_in_map_units_minus1") + 1
        isProgressive = try reader.flag()
        codedHeight = units * (isProgressive ? 16 : 32)
        if !isProgressive { _ = try reader.flag() }
        _ = try reader.flag()
        let array = hasSeparatePlanes ? 0 : chromaFormat
        crop = try Self.crop(
            &reader, unitWidth: array == 1 || array == 2 ? 2 : 1,
            unitHeight: (array == 1 ? 2 : 1) * (isProgressive ? 1 : 2), width: codedWidth, height: codedHeight)
        usabilityPosition = reader.position
        usability = try reader.flag() ? try VideoUsability(&reader) : nil
    }

    private struct Chroma {
        var format = 1
        var isSeparate = false
        var lumaDepth = 8
        var chromaDepth = 8
    }

    /// Reads the fields that the High profiles have, scaling lists among them.
    private static func chroma(_ reader: inout BitReader, profile: UInt8) throws(Failure) -> Chroma {
        var chroma = Chroma()
        guard [100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135].contains(profile) else { return chroma }
        chroma.format = try reader.unsigned(upTo: 3, "chroma_format_idc")
        if chroma.format == 3 { chroma.isSeparate = try reader.flag() }
        chroma.lumaDepth = try reader.unsigned(upTo: 6, "bit_depth_luma_minus8") + 8
        chroma.chromaDepth = try reader.unsigned(upTo: 6, "bit_depth_chroma_minus8") + 8
        _ = try reader.flag()
        if try reader.flag() {
            for index in 0..<(chroma.format == 3 ? 12 : 8) where try reader.flag() {
                try skipScalingList(&reader, count: index < 6 ? 16 : 64)
            }
        }
        return chroma
    }

    /// scaling_list( ), 7.3.2.1.1.1.
    private static func skipScalingList(_ reader: inout BitReader, count: Int) throws(Failure) {
        var last: Int32 = 8
        for _ in 0..<count {
            let delta = try reader.signed()
            guard (-128...127).contains(delta) else { throw BitReader.damage("delta_scale is \(delta)") }
            let next = (last + delta + 256) % 256
            if next == 0 { return }
            last = next
        }
    }

    private static func pictureOrder(_ reader: inout BitReader) throws(Failure) -> Int {
        let type = try reader.unsigned(upTo: 2, "pic_order_cnt_type")
        if type == 0 {
            _ = try reader.unsigned(upTo: 12, "log2_max_pic_order_cnt_lsb_minus4")
        } else if type == 1 {
            _ = try reader.flag()
            _ = try reader.signed()
            _ = try reader.signed()
            for _ in 0..<(try reader.unsigned(upTo: 255, "num_ref_frames_in_pic_order_cnt_cycle")) {
                _ = try reader.signed()
            }
        }
        return type
    }

    private static func crop(
        _ reader: inout BitReader, unitWidth: Int, unitHeight: Int, width: Int, height: Int
    ) throws(Failure) -> Crop {
        guard try reader.flag() else { return Crop() }
        let limit: UInt32 = 1 << 16
        let crop = Crop(
            left: try reader.unsigned(upTo: limit, "frame_crop_left_offset") * unitWidth,
            right: try reader.unsigned(upTo: limit, "frame_crop_right_offset") * unitWidth,
            top: try reader.unsigned(upTo: limit, "frame_crop_top_offset") * unitHeight,
            bottom: try reader.unsigned(upTo: limit, "frame_crop_bottom_offset") * unitHeight)
        guard crop.left + crop.right < width, crop.top + crop.bottom < height else {
            throw BitReader.damage("nothing of the picture is left by its cropping")
        }
        return crop
    }
}
