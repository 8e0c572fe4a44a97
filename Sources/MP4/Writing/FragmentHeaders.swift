import CKernel
import Media

/// The bytes that stand in front of the media of each fragment: record, `moof` and the header of the `mdat`. The memory is
/// used again for later fragments.
struct FragmentHeaders: ~Copyable {
    private var writer = ByteWriter(reserving: 4096)
    private var ends: [Int] = []

    /// All headers, one behind the other.
    var bytes: [UInt8] { writer.bytes }

    /// Where the headers of a fragment lie in `bytes`.
    subscript(index: Int) -> Range<Int> { (index == 0 ? 0 : ends[index - 1])..<ends[index] }

    /// Forgets the headers and keeps their memory.
    mutating func removeAll() {
        writer.removeAll()
        ends.removeAll(keepingCapacity: true)
    }

    /// Puts bytes that belong in front of the first fragment.
    mutating func put(_ movie: [UInt8]) {
        writer.put(movie)
    }

    /// Puts the headers of a fragment behind the others.
    /// - Parameter record: its lengths and the media's checksum are set here.
    mutating func append(_ fragment: Fragment, record: FragmentRecord) {
        let start = writer.count
        let runs = fragment.runs
        let movieFragment = MovieFragment.byteCount(of: runs, fragment.chapters)
        var record = record
        record.headerLength = UInt32(movieFragment + 8)
        record.mediaLength = UInt32(fragment.mediaByteCount)
        record.mediaChecksum = fragment.mediaChecksum
        record.put(into: &writer)
        MovieFragment.put(runs, fragment.chapters, sequence: record.sequence, into: &writer)
        writer.put32(UInt32(fragment.mediaByteCount + 8))
        writer.put32(BoxType("mdat").code)
        let checksum = writer.bytes.withUnsafeBytes { bytes in
            FragmentRecord.checksum(
                UnsafeRawBufferPointer(rebasing: bytes[start..<(start + FragmentRecord.byteCount)]),
                UnsafeRawBufferPointer(rebasing: bytes[(start + FragmentRecord.byteCount)...]))
        }
        writer.replace32(at: start + FragmentRecord.byteCount - 4, with: checksum)
        ends.append(writer.count)
    }
}
