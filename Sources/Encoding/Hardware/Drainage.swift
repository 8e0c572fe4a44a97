import Linux

/// The end of a stream: what is inside an encoder comes out. It ends with the encoder's word for it; where the encoder has
/// none, when all pictures have come back and nothing more comes; and in any case after two seconds.
struct Drainage {
    /// Longer than this no encoder is waited for: 2 s.
    static let limit: Int64 = 2_000_000_000
    /// Silence that is taken for the end where nobody says it: 200 ms.
    static let quiet: Int64 = 200_000_000
    /// Whether nothing more comes.
    private(set) var isOver = false
    /// Whether the encoder was not waited for any longer.
    private(set) var isGivenUp = false
    private let begin: MonotonicTime
    private let tellsEnd: Bool
    private var quietSince: MonotonicTime?

    /// - Parameters:
    ///   - begin: when draining began.
    ///   - tellsEnd: whether the encoder says which buffer is the last one.
    init(at begin: MonotonicTime, tellsEnd: Bool) {
        self.begin = begin
        self.tellsEnd = tellsEnd
    }

    /// The encoder said that nothing more comes.
    mutating func noteLast() {
        isOver = true
    }

    /// Something came out.
    mutating func noteCoded() {
        quietSince = nil
    }

    /// Nothing is there.
    /// - Parameters:
    ///   - now: the present moment.
    ///   - queued: raw buffers that the device has.
    ///   - pending: pictures of which something may still come.
    mutating func noteNothing(at now: MonotonicTime, queued: Int, pending: Int) {
        let since = quietSince ?? now
        quietSince = since
        if !tellsEnd && queued == 0 && (pending == 0 || now - since >= Self.quiet) { isOver = true }
        if !isOver && now - begin >= Self.limit { (isOver, isGivenUp) = (true, true) }
    }
}
