/// Where one sample (a picture, a packet of sound) lies in a file, and when it is decoded and shown.
public struct Sample: Hashable, Sendable {
    /// The sample's number in its track, from 0.
    public var index: Int64
    /// The place of its first byte in the file.
    public var offset: Int64
    /// Bytes.
    public var size: Int64
    /// When it is decoded, in ticks of the track.
    public var time: Int64
    /// How long it lasts, in ticks of the track.
    public var duration: Int64
    /// How much later than decoded it is shown, in ticks of the track.
    public var compositionOffset: Int64
    /// Whether the file says that decoding can begin here.
    public var isSync: Bool
    /// The number of its chunk or, for samples in fragments, of its run, from 0.
    var chunk: Int64
    /// The number of its sample description, from 1.
    var descriptionIndex: UInt32

    /// The place of the first byte behind it.
    var end: Int64 { offset + size }
}
