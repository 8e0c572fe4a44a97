/// A piece of memory that devices share without a copy: a dma-buf ("Buffer Sharing and Synchronization" in the kernel's
/// documentation). Whoever made it keeps its descriptor open for as long as others use it.
public struct SharedBuffer: Hashable, Sendable {
    /// The dma-buf's descriptor.
    public let descriptor: Int32
    /// Bytes of the piece.
    public let byteCount: Int

    public init(descriptor: Int32, byteCount: Int) {
        self.descriptor = descriptor
        self.byteCount = byteCount
    }
}
