import Media

/// What a file says of a sound track in AAC-LC.
public struct AudioTrack: Hashable, Sendable {
    /// Rate and channels; the rate is the track's timescale too.
    public var format: AudioFormat
    /// The encoder's AudioSpecificConfig (ISO/IEC 14496-3, 1.6.2.1), 2 bytes or more.
    public var specificConfig: [UInt8]
    /// Nominal bits a second.
    public var bitrate: Int
    /// What a person calls the track, such as "Programme" or "Microphone".
    public var name: String

    public init(format: AudioFormat, specificConfig: [UInt8], bitrate: Int, name: String) {
        self.format = format
        self.specificConfig = specificConfig
        self.bitrate = bitrate
        self.name = name
    }
}
