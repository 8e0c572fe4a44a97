/// What one server takes on.
public struct ServerLimits: Sendable, Equatable {
    /// Connections at a time.
    public var clients = 16
    /// Bytes of a message in either direction.
    public var messageBytes = 64 << 10
    /// Nanoseconds within which a message that has begun must be whole, and a client must have read something of what
    /// is sent to it.
    public var patience: Int64 = 10_000_000_000
    /// Notices that are kept for subscribers who read slowly.
    public var notices = 32

    public init() {}
}
