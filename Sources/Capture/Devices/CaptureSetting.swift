import Media
import V4L2

/// What a capture device was set to, all of it: pictures of two settings that are equal can be exchanged for one another.
struct CaptureSetting: Hashable {
    /// As the driver set it: size, layout, lengths of lines, sizes of pieces, colour.
    var format: V4L2Format
    /// How samples lie.
    var layout: V4L2Layout
    /// The signal's rate, or what the device was told.
    var rate: FrameRate

    /// The shape of the pictures as they lie in the device's buffers.
    var videoFormat: VideoFormat {
        VideoFormat(
            width: format.width, height: format.height, pixelFormat: layout.pixelFormat, rate: rate,
            color: format.color.description(layout.pixelFormat, width: format.width, height: format.height))
    }
}
