import CKernel
import Media
import V4L2

/// The controls of a hardware encoder. No two drivers have the same, so each is asked for before it is set, and none is
/// required; what a driver does not let be set stays at its own choice.
struct EncoderControls {
    /// The level's control, where there is one, and its present value.
    private(set) var level: Int32?
    /// Whether a picture can be made a key frame.
    let canForceKeyFrame: Bool
    private let device: V4L2Device
    private let ladder: LevelLadder

    /// Sets all that the device has.
    /// - Parameters:
    ///   - device: its formats and rate must be set.
    ///   - configuration: what is wanted.
    init(_ device: V4L2Device, _ configuration: HardwareEncoder.Configuration) {
        self.device = device
        canForceKeyFrame = device.control(V4L2_CID_MPEG_VIDEO_FORCE_KEY_FRAME) != nil
        ladder = LevelLadder(menu: device.control(V4L2_CID_MPEG_VIDEO_H264_LEVEL).map(device.menu) ?? [])
        Self.setRate(device, configuration)
        Self.setStructure(device, configuration)
        let profile = Self.setProfile(device)
        let format = configuration.format
        let needed = H264Level.least(
            width: format.width, height: format.height, rate: format.rate, bitrate: configuration.bitrate,
            profile: profile)
        if let value = ladder.value(for: needed) { set(level: value) }
    }

    /// Raises the level by a step: there are drivers that want more than the standard does.
    /// - Returns: false when there is no higher one.
    mutating func raiseLevel() -> Bool {
        guard let level, let next = ladder.next(above: level) else { return false }
        set(level: next)
        return self.level == next
    }

    /// Makes the picture that is coded next a key frame. It does nothing where the device cannot: then the next key frame is
    /// the one that comes by itself, after `keyFrameSeconds` at most.
    func forceKeyFrame() {
        if canForceKeyFrame { try? device.set(UInt32(V4L2_CID_MPEG_VIDEO_FORCE_KEY_FRAME), to: 1) }
    }

    /// The least number of buffers that a queue must have, as far as the device says.
    /// - Parameter identifier: V4L2_CID_MIN_BUFFERS_FOR_OUTPUT or …_CAPTURE.
    static func leastBuffers(_ device: V4L2Device, _ identifier: Int32) -> Int {
        guard device.control(identifier) != nil, let value = try? device.value(UInt32(identifier)) else { return 1 }
        return Int(min(max(value, 1), 32))
    }

    private mutating func set(level value: Int32) {
        try? device.set(UInt32(V4L2_CID_MPEG_VIDEO_H264_LEVEL), to: value)
        level = value
    }

    private static func setRate(_ device: V4L2Device, _ configuration: HardwareEncoder.Configuration) {
        device.adjust(V4L2_CID_MPEG_VIDEO_FRAME_RC_ENABLE, to: 1)
        // A constant rate takes some encoders several times as long as a variable one.
        device.choose(V4L2_CID_MPEG_VIDEO_BITRATE_MODE, [V4L2_MPEG_VIDEO_BITRATE_MODE_VBR.rawValue])
        device.adjust(V4L2_CID_MPEG_VIDEO_BITRATE_PEAK, to: configuration.bitrate / 2 * 3)
        device.adjust(V4L2_CID_MPEG_VIDEO_BITRATE, to: configuration.bitrate)
    }

    private static func setStructure(_ device: V4L2Device, _ configuration: HardwareEncoder.Configuration) {
        let rate = configuration.format.rate
        let period = max(Int((rate.perSecond * Double(configuration.keyFrameSeconds)).rounded()), 1)
        device.adjust(V4L2_CID_MPEG_VIDEO_B_FRAMES, to: 0)
        device.adjust(V4L2_CID_MPEG_VIDEO_GOP_SIZE, to: period)
        device.adjust(V4L2_CID_MPEG_VIDEO_H264_I_PERIOD, to: period)
        device.choose(
            V4L2_CID_MPEG_VIDEO_HEADER_MODE, [V4L2_MPEG_VIDEO_HEADER_MODE_JOINED_WITH_1ST_FRAME.rawValue])
        device.adjust(V4L2_CID_MPEG_VIDEO_REPEAT_SEQ_HEADER, to: 1)
        device.adjust(V4L2_CID_MPEG_VIDEO_AU_DELIMITER, to: 0)
    }

    /// - Returns: profile_idc of what was chosen, of Baseline where nothing was.
    private static func setProfile(_ device: V4L2Device) -> UInt8 {
        let wanted = [
            V4L2_MPEG_VIDEO_H264_PROFILE_HIGH, V4L2_MPEG_VIDEO_H264_PROFILE_MAIN,
            V4L2_MPEG_VIDEO_H264_PROFILE_CONSTRAINED_BASELINE, V4L2_MPEG_VIDEO_H264_PROFILE_BASELINE,
        ].map(\.rawValue)
        return switch device.choose(V4L2_CID_MPEG_VIDEO_H264_PROFILE, wanted) {
        case V4L2_MPEG_VIDEO_H264_PROFILE_HIGH.rawValue: 100
        case V4L2_MPEG_VIDEO_H264_PROFILE_MAIN.rawValue: 77
        default: 66
        }
    }
}

extension V4L2Device {
    /// A control by its number as C has it.
    fileprivate func control(_ identifier: Int32) -> V4L2Control? { control(UInt32(identifier)) }

    /// Sets a number to what comes nearest, where the device has the control.
    fileprivate func adjust(_ identifier: Int32, to value: Int) {
        guard let control = control(identifier) else { return }
        let nearest = min(max(value, Int(control.smallest)), Int(control.largest))
        try? set(control.identifier, to: Int32(nearest))
    }

    /// Sets a menu to the first of some values that it has.
    /// - Returns: the value; nil when the device has none of them or refuses.
    @discardableResult
    fileprivate func choose(_ identifier: Int32, _ values: [UInt32]) -> UInt32? {
        guard let control = control(identifier) else { return nil }
        let menu = menu(of: control)
        for value in values where menu.contains(Int32(value)) {
            if (try? set(control.identifier, to: Int32(value))) != nil { return value }
        }
        return nil
    }
}
