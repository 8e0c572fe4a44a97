import CX264
import Glibc
import Media

/// The parameters that x264 is opened with, as a configuration wants them.
struct X264Parameters {
    /// What x264 takes.
    var native = x264_param_t()
    /// The stream's level.
    let level: H264Level

    /// - Parameters:
    ///   - configuration: valid.
    ///   - effort: the preset.
    ///   - threads: 1 or more.
    /// - Throws: `Failure` of kind invalidValue when no level of H.264 is high enough.
    init(
        _ configuration: SoftwareEncoder.Configuration, effort: SoftwareEncoder.Effort, threads: Int
    ) throws(Failure) {
        let format = configuration.format
        // zerolatency: no B-frames and no lookahead, so that each frame gives its packet at once.
        guard x264_param_default_preset(&native, effort.rawValue, "zerolatency") == 0 else {
            throw Failure(.internalFault, "cannot set x264 up", because: "it knows no preset \(effort.rawValue)")
        }
        native.i_threads = Int32(threads)
        native.i_width = Int32(format.width)
        native.i_height = Int32(format.height)
        native.i_csp = format.pixelFormat == .nv12 ? X264_CSP_NV12 : X264_CSP_I420
        native.i_bitdepth = 8
        native.b_annexb = 0
        native.b_repeat_headers = 0
        native.b_aud = 0
        level = try Self.level(configuration, references: &native.i_frame_reference)
        native.i_level_idc = Int32(level.idc)
        setRate(configuration)
        setUsability(format)
        x264_param_apply_profile(&native, "high")
    }

    /// As many reference frames as the preset wants and the size's own level allows: a preset must not make a stream that
    /// players cannot hold.
    private static func level(
        _ configuration: SoftwareEncoder.Configuration, references: inout Int32
    ) throws(Failure) -> H264Level {
        let format = configuration.format
        let least = H264Level.least(
            width: format.width, height: format.height, rate: format.rate, bitrate: configuration.bitrate,
            buffer: configuration.bitrate)
        guard let least else {
            throw Failure(
                .invalidValue, "cannot encode \(format.width)x\(format.height) at \(format.rate) pictures a second",
                because: "no level of H.264 goes that far", mend: "Choose a smaller size, rate or bit rate.")
        }
        references = min(references, Int32(least.referenceFrames(width: format.width, height: format.height)))
        return least
    }

    /// The bit rate holds over each second: the decoder's buffer takes a second of it.
    ///
    /// Of pictures that come unevenly x264 is not told either: it would keep each of them until the next one tells how long it
    /// stood. What it may spend on them is set from picture to picture instead (`PictureSpan`).
    private mutating func setRate(_ configuration: SoftwareEncoder.Configuration) {
        let rate = configuration.format.rate
        native.b_vfr_input = 0
        native.i_fps_num = UInt32(rate.numerator)
        native.i_fps_den = UInt32(rate.denominator)
        native.i_timebase_num = UInt32(rate.denominator)
        native.i_timebase_den = UInt32(rate.numerator)
        let kilobits = Int32(configuration.bitrate / 1000)
        native.rc.i_rc_method = X264_RC_ABR
        native.rc.i_bitrate = kilobits
        native.rc.i_vbv_max_bitrate = kilobits
        native.rc.i_vbv_buffer_size = kilobits
        native.i_keyint_max = Int32(max((rate.perSecond * Double(configuration.keyFrameSeconds)).rounded(), 1))
        native.b_open_gop = 0
    }

    private mutating func setUsability(_ format: VideoFormat) {
        native.vui.i_sar_width = 1
        native.vui.i_sar_height = 1
        native.vui.b_fullrange = format.color.isFullRange ? 1 : 0
        native.vui.i_colorprim = Int32(format.color.primaries)
        native.vui.i_transfer = Int32(format.color.transfer)
        native.vui.i_colmatrix = Int32(format.color.matrix)
    }
}
