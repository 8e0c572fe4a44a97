import Media

/// Finishes recordings that a power cut or a kill left unfinished.
public enum Recovery {
    /// Finishes a recording: cuts off what is not whole, writes the tables and makes it an ordinary MP4.
    public static func recover(path: String) throws(Failure) -> RecoveryResult {
        throw Failure(.notARecording, path, because: "recovery is not built yet")
    }
}
