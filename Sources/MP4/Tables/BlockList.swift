/// A list of numbers that grows at its end for days without ever being copied: blocks of fixed size, of which the last
/// one is filled. It takes as much memory as its elements and at most one block more.
struct BlockList<Element: BitwiseCopyable>: ~Copyable {
    private var blocks: [UnsafeMutablePointer<Element>] = []
    /// The number of elements.
    private(set) var count = 0

    /// Elements of a block: 4 KiB.
    private static var blockLength: Int { 4096 / MemoryLayout<Element>.stride }

    deinit {
        for block in blocks { block.deallocate() }
    }

    /// Bytes of memory in use.
    var memoryByteCount: Int { blocks.count * 4096 }

    subscript(index: Int) -> Element {
        get {
            precondition(index >= 0 && index < count, "no such element")
            return blocks[index / Self.blockLength][index % Self.blockLength]
        }
        set {
            precondition(index >= 0 && index < count, "no such element")
            blocks[index / Self.blockLength][index % Self.blockLength] = newValue
        }
    }

    /// The last element, nil when there is none.
    var last: Element? { count > 0 ? self[count - 1] : nil }

    /// Puts an element at the end.
    mutating func append(_ element: Element) {
        if count == blocks.count * Self.blockLength { blocks.append(.allocate(capacity: Self.blockLength)) }
        blocks[count / Self.blockLength].advanced(by: count % Self.blockLength).initialize(to: element)
        count += 1
    }

    /// Takes elements from the end until a number of them is left.
    mutating func shorten(to newCount: Int) {
        precondition(newCount >= 0 && newCount <= count, "a list is not made longer by that")
        count = newCount
        while blocks.count * Self.blockLength >= count + 2 * Self.blockLength {
            blocks.removeLast().deallocate()
        }
    }

    /// Hands the elements out in runs that lie one behind the other in memory.
    func forEachRun<Fault: Error>(_ body: (UnsafeBufferPointer<Element>) throws(Fault) -> Void) throws(Fault) {
        var left = count
        for block in blocks where left > 0 {
            try body(UnsafeBufferPointer(start: block, count: min(left, Self.blockLength)))
            left -= Self.blockLength
        }
    }
}
