/// Steps over the boxes that lie one behind the other in a part of a file.
struct BoxSequence {
    private let window: FileWindow
    /// The place of the next box.
    private(set) var offset: Int64
    /// Where the last box must end.
    let limit: Int64
    private let isTop: Bool

    /// The boxes from a place to another.
    /// - Parameter isTop: true for the boxes of the file itself, of which the last may leave its size open.
    init(_ window: FileWindow, from offset: Int64, to limit: Int64, isTop: Bool = false) {
        self.window = window
        self.offset = offset
        self.limit = limit
        self.isTop = isTop
    }

    /// The boxes inside a box, behind `skipping` bytes of the box's own fields.
    init(_ window: FileWindow, inside parent: BoxHeader, skipping fields: Int64 = 0) {
        self.init(window, from: min(parent.payload + fields, parent.end), to: parent.end)
    }

    /// The next box, nil when the last one ended exactly at the limit. Each box takes at least eight bytes, so that a
    /// walk always ends.
    /// - Throws: `BoxFault` where the bytes are no box; the sequence stays there.
    mutating func next() throws(BoxFault) -> BoxHeader? {
        guard offset < limit else { return nil }
        let header = try BoxHeader.read(window, at: offset, limit: limit, openEnded: isTop)
        offset = header.end
        return header
    }
}
