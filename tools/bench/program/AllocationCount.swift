import Glibc
import Judges
import Linux
import Media

/// How often a program asks its heap for memory: counted inside it by the library `tools/bench/counter/allocations.c`.
struct AllocationCount: ~Copyable {
    private let path: String
    private let file: FileDescriptor

    /// - Parameter folder: where the count lies.
    init(in folder: TemporaryFolder) throws {
        let path = folder.file("allocations")
        unlink(path)
        let file = try FileDescriptor.open(path, O_RDWR | O_CREAT)
        try file.truncate(to: 8)
        self.path = path
        self.file = file
    }

    /// What the program is to be started with.
    /// - Throws: `Failure` of kind internalFault where the library was not built.
    func environment() throws -> [String] {
        guard let library = getenv("KINEBOX_COUNTER") else {
            throw Failure(
                .internalFault, "cannot count allocations", because: "KINEBOX_COUNTER names no library",
                mend: "Run tools/bench/copies, which builds it.")
        }
        return ["LD_PRELOAD=\(String(cString: library))", "KINEBOX_ALLOCATIONS=\(path)"]
    }

    /// The count until now.
    var value: UInt64 {
        var value: UInt64 = 0
        _ = withUnsafeMutableBytes(of: &value) { bytes in try? file.read(into: bytes, at: 0) }
        return value
    }
}
