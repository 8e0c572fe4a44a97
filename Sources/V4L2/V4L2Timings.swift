import CKernel
import Linux
import Media

/// The timings of a signal that comes in by HDMI or its like (struct v4l2_bt_timings).
public struct V4L2Timings: Sendable {
    /// As the driver gave them, to be set again.
    let raw: v4l2_dv_timings

    init(_ raw: v4l2_dv_timings) {
        self.raw = raw
    }

    /// Timings as a driver would report them.
    /// - Parameters:
    ///   - width: pixels a line that can be seen.
    ///   - height: lines that can be seen, of both fields together where there are two.
    ///   - blankColumns: pixels a line that cannot be seen.
    ///   - blankLines: lines that cannot be seen, of both fields together where there are two.
    ///   - pixelClock: pixels a second, in Hz.
    ///   - flags: V4L2_DV_FL_….
    public init(
        width: Int, height: Int, blankColumns: Int, blankLines: Int, pixelClock: UInt64, isInterlaced: Bool = false,
        flags: UInt32 = 0
    ) {
        var bt = v4l2_bt_timings()
        (bt.width, bt.height, bt.pixelclock) = (UInt32(width), UInt32(height), pixelClock)
        (bt.hfrontporch, bt.vfrontporch) = (UInt32(blankColumns), UInt32(blankLines))
        (bt.interlaced, bt.flags) = (UInt32(isInterlaced ? V4L2_DV_INTERLACED : V4L2_DV_PROGRESSIVE), flags)
        var raw = v4l2_dv_timings()
        raw.type = UInt32(V4L2_DV_BT_656_1120)
        raw.bt = bt
        self.raw = raw
    }

    /// What is seen of it: size, rate and whether lines are interlaced; nil for timings that make no sense (a clock or a
    /// size of 0).
    public var shape: SignalShape? {
        let bt = raw.bt
        guard bt.width > 0, bt.height > 0, let rate else { return nil }
        return SignalShape(width: Int(bt.width), height: Int(bt.height), rate: rate, isInterlaced: isInterlaced)
    }

    /// Whether a picture comes as two fields.
    public var isInterlaced: Bool { raw.bt.interlaced == UInt32(V4L2_DV_INTERLACED) }

    /// Whether a device that is set to the one is set to the other too: all the same, but for the clock, which receivers
    /// measure.
    public func isSame(as other: V4L2Timings) -> Bool {
        let (mine, theirs) = (raw.bt, other.raw.bt)
        let difference = max(mine.pixelclock, theirs.pixelclock) - min(mine.pixelclock, theirs.pixelclock)
        return (mine.width, mine.height, mine.interlaced) == (theirs.width, theirs.height, theirs.interlaced)
            && (columns, lines) == (other.columns, other.lines) && rate == other.rate
            && Double(difference) <= Self.tolerance * Double(mine.pixelclock)
    }

    /// Pixels of a line, blanking and all (V4L2_DV_BT_FRAME_WIDTH).
    private var columns: UInt64 {
        let bt = raw.bt
        return UInt64(bt.width) + UInt64(bt.hfrontporch) + UInt64(bt.hsync) + UInt64(bt.hbackporch)
    }

    /// Lines of a whole picture, blanking and all (V4L2_DV_BT_FRAME_HEIGHT).
    private var lines: UInt64 {
        let bt = raw.bt
        let first = UInt64(bt.height) + UInt64(bt.vfrontporch) + UInt64(bt.vsync) + UInt64(bt.vbackporch)
        guard isInterlaced else { return first }
        return first + UInt64(bt.il_vfrontporch) + UInt64(bt.il_vsync) + UInt64(bt.il_vbackporch)
    }

    /// Whole pictures a second: the pixel clock by the pixels of a picture, blanking and all. What lies within 0.05 % of a
    /// whole number or of 1000/1001 of one is taken for that, since receivers measure the clock; where both are as near, the
    /// driver's flags decide.
    var rate: FrameRate? {
        let bt = raw.bt
        let total = columns * lines
        guard total > 0, bt.pixelclock > 0, total <= 1 << 32 else { return nil }
        let measured = Double(bt.pixelclock) / Double(total)
        let flags = UInt64(bt.flags)
        // A driver that does not measure the clock gives the nominal one, and says by this flag that it is less.
        let isReduced =
            flags & UInt64(V4L2_DV_FL_REDUCED_FPS) != 0 && flags & UInt64(V4L2_DV_FL_CAN_REDUCE_FPS) != 0
        let whole = measured.rounded()
        guard whole >= 1, whole <= 1000 else { return FrameRate(Int64(clamping: bt.pixelclock), Int64(total)) }
        let reduced = whole * 1000 / 1001
        let (far, near) = (abs(measured - reduced) / reduced, abs(measured - whole) / whole)
        if far <= Self.tolerance && far < near || near <= Self.tolerance && isReduced {
            return FrameRate(Int64(whole) * 1000, 1001)
        }
        if near <= Self.tolerance { return FrameRate(Int64(whole)) }
        return FrameRate(Int64((measured * 1000).rounded()), 1000)
    }

    private static let tolerance = 0.0005
}

extension V4L2Node {
    /// What comes in now (VIDIOC_QUERY_DV_TIMINGS).
    /// - Throws: `Errno`: ENOLINK without a cable, ENOLCK without a lock, ERANGE outside of what the device can; ENOTTY,
    ///   EINVAL or ENODATA where inputs have no timings.
    public func incomingTimings() throws(Errno) -> V4L2Timings {
        var timings = v4l2_dv_timings()
        try request(CKERNEL_VIDIOC_QUERY_DV_TIMINGS, &timings)
        return V4L2Timings(timings)
    }

    /// What the device is set to (VIDIOC_G_DV_TIMINGS).
    public func timings() throws(Errno) -> V4L2Timings {
        var timings = v4l2_dv_timings()
        try request(CKERNEL_VIDIOC_G_DV_TIMINGS, &timings)
        return V4L2Timings(timings)
    }

    /// Sets the device to timings (VIDIOC_S_DV_TIMINGS), which also changes its format.
    /// - Throws: `Errno`, EBUSY while there are buffers.
    public func set(_ timings: V4L2Timings) throws(Errno) {
        var raw = timings.raw
        try request(CKERNEL_VIDIOC_S_DV_TIMINGS, &raw)
    }
}
