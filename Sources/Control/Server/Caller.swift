import Linux

/// Who called a method, and when.
public struct Caller: Sendable {
    /// The process that connected.
    public var peer: SocketPeer
    /// What it may do.
    public var rights: Access.Rights
    /// When the call was read.
    public var time: MonotonicTime
}
