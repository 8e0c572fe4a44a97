/// Sound packets that wait until the pictures have come to their time. Memory is reused.
struct PacketQueue {
    private struct Entry {
        var offset: Int
        var count: Int
        var sample: Int64
    }

    private var bytes: [UInt8] = []
    private var entries: [Entry] = []
    private var head = 0

    /// The first sample of the oldest packet; nil when none waits.
    var headSample: Int64? { head < entries.count ? entries[head].sample : nil }

    mutating func append(_ packet: UnsafeRawBufferPointer, sample: Int64) {
        compact()
        entries.append(Entry(offset: bytes.count, count: packet.count, sample: sample))
        bytes.append(contentsOf: packet)
    }

    /// Takes the oldest packet if it starts before a sample.
    mutating func takeFirst(before sample: Int64, _ body: (UnsafeRawBufferPointer, Int64) -> Void) -> Bool {
        guard head < entries.count, entries[head].sample < sample else { return false }
        let entry = entries[head]
        head += 1
        bytes.withUnsafeBytes { all in
            body(UnsafeRawBufferPointer(rebasing: all[entry.offset..<(entry.offset + entry.count)]), entry.sample)
        }
        return true
    }

    /// Throws away the packets that start at a sample or later.
    mutating func removeAll(from sample: Int64) {
        while let last = entries.last, entries.count > head, last.sample >= sample {
            entries.removeLast()
            bytes.removeLast(last.count)
        }
    }

    /// Moves what waits to the front now and then, so that the memory stays as small as what waits.
    private mutating func compact() {
        guard head >= 64 || head == entries.count else { return }
        let start = head < entries.count ? entries[head].offset : bytes.count
        bytes.removeFirst(start)
        entries.removeFirst(head)
        for index in entries.indices { entries[index].offset -= start }
        head = 0
    }
}
