import Linux

/// The last notices, kept once for all subscribers: how much waits for the slow ones among them is bounded by that.
struct NoticeLog {
    private let capacity: Int
    /// Letters of a notice that are kept, so that all of them fit into one message.
    private static let longestText = 400
    private var kept: [RecorderAPI.Notice] = []
    /// The number of the newest notice; 0 before the first.
    private(set) var newest = 0

    init(capacity: Int) {
        self.capacity = capacity
    }

    mutating func add(_ text: String, _ grade: RecorderAPI.Notice.Grade) {
        newest += 1
        if kept.count == capacity { kept.removeFirst() }
        kept.append(
            RecorderAPI.Notice(
                number: newest, moment: MonotonicTime.now.nanoseconds, grade: grade,
                text: String(text.prefix(Self.longestText))))
    }

    /// The notices after one, and how many of those are not kept any more.
    func after(_ number: Int) -> (notices: [RecorderAPI.Notice], missed: Int) {
        let notices = kept.filter { $0.number > number }
        return (notices, newest - number - notices.count)
    }
}
