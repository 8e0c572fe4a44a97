import Synchronization

/// A queue with room for a fixed number of elements between two threads: one puts, one takes. It has no lock and never
/// waits; a full queue is told to the one who puts, who decides what that means.
public final class BoundedQueue<Element: Sendable>: @unchecked Sendable {
    // The slots are shared memory, hence unchecked: a slot below `tail` belongs to the taker, the others to the putter,
    // and the two atomic counts hand slots over with release and acquire order.
    private let slots: UnsafeMutablePointer<Element?>
    private let capacity: Int
    private let head = Atomic<Int>(0)
    private let tail = Atomic<Int>(0)

    /// - Parameter capacity: the number of elements that fit, 1 or more.
    public init(capacity: Int) {
        precondition(capacity > 0, "a queue needs room for an element")
        self.capacity = capacity
        slots = .allocate(capacity: capacity)
        slots.initialize(repeating: nil, count: capacity)
    }

    deinit {
        slots.deinitialize(count: capacity)
        slots.deallocate()
    }

    /// The number of elements that wait. A moment's value, from any thread.
    public var count: Int { tail.load(ordering: .acquiring) - head.load(ordering: .acquiring) }

    /// Puts an element behind the others. Only one thread may put.
    /// - Returns: false when the queue is full; the element was not taken then.
    public func put(_ element: Element) -> Bool {
        let end = tail.load(ordering: .relaxed)
        guard end - head.load(ordering: .acquiring) < capacity else { return false }
        slots[end % capacity] = element
        tail.store(end + 1, ordering: .releasing)
        return true
    }

    /// Takes the oldest element. Only one thread may take.
    /// - Returns: nil when the queue is empty.
    public func take() -> Element? {
        let start = head.load(ordering: .relaxed)
        guard start < tail.load(ordering: .acquiring) else { return nil }
        let element = slots[start % capacity]
        slots[start % capacity] = nil
        head.store(start + 1, ordering: .releasing)
        return element
    }
}
