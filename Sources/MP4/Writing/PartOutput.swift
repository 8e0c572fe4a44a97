import Linux

/// Where the bytes of a part go. `FileOutput` is the real one; tests put faults in between, and the benches leave out
/// what only needs room. All calls come from the writer thread.
package protocol PartOutput: AnyObject {
    /// Writes all pieces, one behind the other.
    /// - Throws: `Errno`; some of the bytes may have been written then.
    func write(_ pieces: [OutputPiece], at offset: Int64) throws(Errno)
    /// Returns when all bytes are on the medium.
    func synchronise() throws(Errno)
    /// Cuts the file.
    func truncate(to length: Int64) throws(Errno)
    /// Says that the bytes before a place will not be read soon, so that they need not fill the memory.
    func forget(before offset: Int64)
    /// Takes the file's name away.
    func remove() throws(Errno)
}

/// Bytes that go to a part's file.
package struct OutputPiece {
    /// Valid for the time of the call.
    package var bytes: UnsafeRawBufferPointer
    /// True for the samples themselves, false for all that describes them.
    package var isMedia: Bool

    package init(bytes: UnsafeRawBufferPointer, isMedia: Bool) {
        self.bytes = bytes
        self.isMedia = isMedia
    }
}

extension PartOutput {
    /// Writes bytes that describe samples.
    func write(bytes: [UInt8], at offset: Int64) throws(Errno) {
        let fault = bytes.withUnsafeBytes { buffer -> Errno? in
            do throws(Errno) {
                try write([OutputPiece(bytes: buffer, isMedia: false)], at: offset)
                return nil
            } catch {
                return error
            }
        }
        if let fault { throw fault }
    }
}
