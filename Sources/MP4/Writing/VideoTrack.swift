import Media

/// What a file says of its picture track.
public struct VideoTrack: Hashable, Sendable {
    /// Pixels a line as they are shown, after the cropping of the sequence parameter set; 1…65535.
    public var width: Int
    /// Lines as they are shown, 1…65535.
    public var height: Int
    /// Ticks a second of the track's times.
    public var timescale: Int64
    /// The sets that every picture of the track refers to. A change of them means another file.
    public var parameterSets: ParameterSets
    /// What the sample values mean; the same as in the VUI of the sequence parameter set.
    public var color: ColorDescription

    public init(
        width: Int, height: Int, timescale: Int64, parameterSets: ParameterSets, color: ColorDescription
    ) {
        self.width = width
        self.height = height
        self.timescale = timescale
        self.parameterSets = parameterSets
        self.color = color
    }
}
