/// Which kind of encoder a recording was asked to use.
public enum EncoderPreference: String, Sendable, CaseIterable {
    /// The board's own where there is one that takes the pictures; else, and when it fails, the processor.
    case automatic = "auto"
    /// The board's own, or no recording begins.
    case hardware
    /// The processor.
    case software
}
