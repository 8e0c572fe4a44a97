import Glibc

/// Memory of an exact size, of which every byte before and behind is out of reach: who reads past it ends the process.
final class GuardedMemory {
    let bytes: UnsafeMutableRawBufferPointer
    private let mapping: UnsafeMutableRawPointer
    private let mappedCount: Int

    /// - Parameter isAtEnd: whether the end meets the guard, else the start.
    init(byteCount: Int, isAtEnd: Bool = true) {
        let page = 4096
        let inner = max(1, (byteCount + page - 1) / page) * page
        mappedCount = inner + 2 * page
        guard
            let memory = mmap(nil, mappedCount, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), memory != MAP_FAILED,
            mprotect(memory + page, inner, PROT_READ | PROT_WRITE) == 0
        else { fatalError("memory for a test") }
        mapping = memory
        let start = isAtEnd ? memory + page + inner - byteCount : memory + page
        bytes = UnsafeMutableRawBufferPointer(start: start, count: byteCount)
    }

    deinit { munmap(mapping, mappedCount) }
}
