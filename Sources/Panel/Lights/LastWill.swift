/// What is done with lights when nobody is left to set them.
struct LastWill: Equatable {
    /// A file, and what is written into it.
    struct Write: Equatable {
        var path: String
        var text: String
    }

    /// GPIO line requests that become inactive and are closed.
    var lines: [Int32] = []
    /// Descriptors that stay open until all is done.
    var locks: [Int32] = []
    /// In this order.
    var writes: [Write] = []

    static func + (left: LastWill, right: LastWill) -> LastWill {
        LastWill(lines: left.lines + right.lines, locks: left.locks + right.locks, writes: left.writes + right.writes)
    }
}
