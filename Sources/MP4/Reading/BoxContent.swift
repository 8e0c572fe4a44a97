import Media

/// Why the fields of a box cannot be what they must be.
struct ContentFault: Error, Hashable, Sendable {
    /// Half a sentence that follows the box's name: "has 3 bytes where 20 are needed".
    var reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}

extension BoxHeader {
    /// The bytes behind the header, in place until the window is used again.
    /// - Parameter limit: the most that is looked at.
    func content(_ window: FileWindow, limit: Int = 64 << 10) throws(BoxFault) -> UnsafeRawBufferPointer {
        try window.boxBytes(at: payload, count: Int(min(payloadSize, Int64(min(limit, window.capacity)))))
    }

    /// The first box of each wanted type among the boxes inside. It ends at the first place that is no box; that this is a
    /// fault is for others to say.
    /// - Parameters:
    ///   - wanted: the types that are looked for.
    ///   - fields: bytes of the box's own fields before the boxes.
    func firstChildren(
        _ wanted: Set<BoxType>, _ window: FileWindow, skipping fields: Int64 = 0
    ) -> [BoxType: BoxHeader] {
        var found: [BoxType: BoxHeader] = [:]
        var boxes = BoxSequence(window, inside: self, skipping: fields)
        while found.count < wanted.count, let box = try? boxes.next() {
            if wanted.contains(box.type) && found[box.type] == nil { found[box.type] = box }
        }
        return found
    }
}
