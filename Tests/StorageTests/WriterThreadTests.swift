import Linux
import Storage
import Synchronization
import Testing

@Suite("The thread that writes")
struct WriterThreadTests {
    /// What the thread was given, and a gate that holds it inside a job.
    private final class Record: Sendable {
        let batches = Mutex<[[Int]]>([])
        let entered: EventDescriptor
        let gate: EventDescriptor

        init() throws {
            entered = try EventDescriptor()
            gate = try EventDescriptor()
        }

        var jobs: [Int] { batches.withLock { $0.flatMap { $0 } } }
    }

    private func writer(_ record: Record, byteLimit: Int = 100, jobLimit: Int = 16) throws -> WriterThread<Int> {
        try WriterThread(name: "test-writer", byteLimit: byteLimit, jobLimit: jobLimit) { jobs in
            record.batches.withLock { $0.append(jobs) }
            if jobs.contains(0) {
                record.entered.signal()
                record.gate.wait()
            }
        }
    }

    @Test("does every job in order before it ends")
    func order() throws {
        let record = try Record()
        let writer = try writer(record)
        for job in 1...10 { #expect(writer.put(job, byteCount: 1)) }
        writer.finish()
        #expect(record.jobs == Array(1...10))
        #expect(writer.waitingByteCount == 0)
    }

    @Test("takes all that waited during a stall at once, and refuses what does not fit")
    func coalescesAndRefuses() throws {
        let record = try Record()
        let writer = try writer(record)
        #expect(writer.put(0, byteCount: 1))
        record.entered.wait()
        #expect(writer.put(1, byteCount: 50))
        #expect(writer.put(2, byteCount: 49))
        #expect(!writer.put(3, byteCount: 1), "100 bytes wait already")
        #expect(writer.put(4, byteCount: 0), "a job without bytes is never refused for bytes")
        #expect(writer.waitingByteCount == 100)
        record.gate.signal()
        writer.finish()
        #expect(record.batches.withLock { $0 } == [[0], [1, 2, 4]])
    }

    @Test("takes one job of any size when nothing waits")
    func largeJob() throws {
        let record = try Record()
        let writer = try writer(record)
        #expect(writer.put(1, byteCount: 1_000))
        writer.finish()
        #expect(record.jobs == [1])
    }

    @Test("can be finished twice and let go at once")
    func finishTwice() throws {
        let writer = try writer(try Record())
        writer.finish()
        writer.finish()
    }
}
