import Linux

/// Finds an encoder that stands still: pictures are inside, and nothing comes out. The clock is read only when that could be.
struct StallWatch {
    /// Silence that is taken for a stall: 1 s, when pictures were to wake the encoder.
    static let limit: Int64 = 1_000_000_000
    /// Silence that is taken for a stall though hardly a picture went in, as of a screen that stands still: an encoder may
    /// give nothing before it has the next one.
    static let longLimit: Int64 = 3_000_000_000
    /// Pictures that go in before it is looked at whether any came out.
    static let patience = 4
    /// Pictures in a row of which nothing comes, though the encoder takes them.
    static let mostSkipped = 60
    private var begin: MonotonicTime?
    private var submitted = 0
    private var wasSilent = false

    /// Takes note of a picture that went in.
    /// - Returns: whether it is time to look at the clock.
    mutating func noteSubmit() -> Bool {
        submitted += 1
        return submitted > Self.patience
    }

    /// Takes note of a question for something coded that found nothing, though something is inside.
    /// - Returns: whether it is time to look at the clock: once in a while, nothing is usual.
    mutating func noteNothing() -> Bool {
        defer { wasSilent = true }
        return wasSilent
    }

    /// Takes note of a picture that the encoder is done with, whether or not anything came of it.
    mutating func noteRelease() {
        begin = nil
    }

    /// Takes note of a coded buffer.
    mutating func noteCoded() {
        begin = nil
        submitted = 0
        wasSilent = false
    }

    /// Whether the encoder is to be given up.
    /// - Parameter now: the present moment, when nothing came out and something is inside.
    mutating func isStalled(at now: MonotonicTime) -> Bool {
        let since = begin ?? now
        begin = since
        let limit = submitted >= Self.patience ? Self.limit : Self.longLimit
        return now - since >= limit || submitted > Self.mostSkipped
    }
}
