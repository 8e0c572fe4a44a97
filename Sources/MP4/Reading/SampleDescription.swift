import Media

/// A sample description: what decodes the samples of a track (ISO/IEC 14496-12, 8.5.2, 12.1.3 and 12.2.3).
struct SampleDescription {
    /// The description's own box.
    var box: BoxHeader
    var dataReferenceIndex: UInt16
    /// Pixels, 0 for sound.
    var width = 0
    var height = 0
    /// 0 for pictures.
    var channels = 0
    /// Samples a second; 0 for pictures and where it is more than fits.
    var rate = 0
    /// H.264's configuration, where there is a good one.
    var avc: AVCDecoderConfiguration?
    /// The stream's descriptor, where there is a good one.
    var stream: ElementaryStreamDescriptor?
    /// The sound's configuration, where there is a good one.
    var audio: AudioSpecificConfiguration?
    /// `colr` with code points: the kind ('nclx' or 'nclc') and what it says; full range is not said by 'nclc'.
    var color: (kind: BoxType, description: ColorDescription)?
    /// `pasp`: the shape of pixels as width and height.
    var pixelAspect: (horizontal: UInt32, vertical: UInt32)?

    /// The name of the codec: 'avc1', 'mp4a'.
    var format: BoxType { box.type }

    init(box: BoxHeader, dataReferenceIndex: UInt16) {
        self.box = box
        self.dataReferenceIndex = dataReferenceIndex
    }
}
