import Media

/// Memory for two planes of chroma on their way from one layout to another, each as large as luma at most. Pages that are
/// not used cost nothing.
final class ScratchPlanes {
    private let memory: UnsafeMutableRawPointer
    private let capacity: Int

    init(width: Int, height: Int) {
        // JPEG decoders fill whole blocks, which may pass the picture's edges.
        capacity = (width + 32) * (height + 32)
        memory = .allocate(byteCount: 2 * capacity, alignment: 64)
    }

    deinit {
        memory.deallocate()
    }

    /// - Parameter index: 0 or 1.
    func plane(_ index: Int, bytesPerLine: Int, lines: Int) -> VideoFrame.Plane {
        precondition(bytesPerLine * lines <= capacity, "chroma is never larger than luma")
        return VideoFrame.Plane(base: memory + index * capacity, bytesPerLine: bytesPerLine, lines: lines)
    }
}
