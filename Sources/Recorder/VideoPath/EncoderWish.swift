/// What a recording should be encoded with.
public enum EncoderWish: Hashable, Sendable {
    /// By hardware where there is any that takes the pictures, else by software.
    case automatic
    /// By hardware alone; what has no hardware for it is refused at the start.
    case hardware
    /// By software, whatever hardware there is.
    case software
}
