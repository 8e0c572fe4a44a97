import Testing

@testable import Recorder

@Suite("Sound packets that wait for their pictures")
struct PacketQueueTests {
    private func append(_ queue: inout PacketQueue, _ bytes: [UInt8], sample: Int64) {
        bytes.withUnsafeBytes { queue.append($0, sample: sample) }
    }

    @Test("come out in order, whole, and not before their time")
    func order() {
        var queue = PacketQueue()
        var out: [(Int64, [UInt8])] = []
        // Always one packet stays, so that the memory is moved to the front with packets in it.
        for index in 0..<500 {
            append(&queue, Array(repeating: UInt8(index % 251), count: index % 7 + 1), sample: Int64(index) * 1024)
            while queue.takeFirst(before: Int64(index) * 1024, { out.append(($1, Array($0))) }) {}
            #expect(queue.headSample == Int64(index) * 1024)
        }
        #expect(out.count == 499)
        for (index, packet) in out.enumerated() {
            #expect(packet.0 == Int64(index) * 1024)
            #expect(packet.1 == Array(repeating: UInt8(index % 251), count: index % 7 + 1))
        }
    }

    @Test("behind the end of the recording are thrown away")
    func removal() {
        var queue = PacketQueue()
        for index in 0..<5 { append(&queue, [UInt8(index)], sample: Int64(index) * 1024) }
        queue.removeAll(from: 3072)
        var samples: [Int64] = []
        while queue.takeFirst(before: .max, { samples.append($1) }) {}
        #expect(samples == [0, 1024, 2048])
        #expect(queue.headSample == nil)
    }
}
