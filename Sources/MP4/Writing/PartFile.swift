import Linux
import Media

/// One file of a recording while it is written. Used by one thread at a time: the writer thread.
public final class PartFile: @unchecked Sendable {
    // Unchecked because a part travels to the writer thread in a job: whoever took the job is its only user.

    public static func create(at path: String, session: Session, part: Int) throws(Failure) -> PartFile {
        throw Failure(.internalFault, "cannot create", because: "it is not built yet")
    }

    private init() {}

    /// Says which tracks the part has. Called once, before the first `append`; nothing is written.
    public func begin(tracks: [Track]) throws(Failure) {}
    /// Writes fragments.
    public func append(_ fragments: [Fragment]) throws(Failure) {}
    public func flush() throws(Failure) {}
    public func finalise() throws(Failure) -> PartSummary {
        throw Failure(.internalFault, "cannot finalise", because: "it is not built yet")
    }
    public func remove() throws(Failure) {}
    /// Bytes written so far.
    public var byteCount: Int64 { 0 }
    /// Bytes that are known to be on the medium.
    public var durableByteCount: Int64 { 0 }
    /// The size that the file would have if it were finalised now.
    public var finalByteCount: Int64 { 0 }
    public var hasFrame: Bool { false }
}
