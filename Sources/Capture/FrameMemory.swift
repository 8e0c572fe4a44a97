import Media

/// Where a device's pictures lie on their way to an encoder.
public enum FrameMemory {
    /// In the capture device's own buffers, which are exported and never mapped: the encoder reads them.
    case device
    /// In buffers of the encoder, a list of pieces for each frame, which the capture device fills: for a device whose own
    /// memory the encoder cannot read.
    case lent([[SharedBuffer]])
    /// In these frames, which the processor writes: one conversion from the capture device's mapped buffers into NV12 or
    /// YUV420, or one copy where the device has the same layout.
    case written([VideoFrame], as: PixelFormat)
    /// In memory of the process, NV12 or YUV420: the capture device's mapped buffers themselves where they have this
    /// layout, else one conversion.
    case process
}
