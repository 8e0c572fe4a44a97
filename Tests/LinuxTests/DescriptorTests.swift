import Glibc
import Linux
import Synchronization
import Testing

@Suite("Descriptors and the event loop")
struct DescriptorTests {
    private func withFile(_ body: (String) throws -> Void) throws {
        var template = Array("/tmp/kinebox-linux-XXXXXX".utf8CString)
        close(mkstemp(&template))
        let path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
        defer { unlink(path) }
        try body(path)
    }

    @Test("a descriptor is closed with its owner")
    func closes() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let reader = FileDescriptor(owning: ends[0])
        do {
            let writer = FileDescriptor(owning: ends[1])
            var byte: UInt8 = 7
            #expect(try withUnsafeBytes(of: &byte) { try writer.write($0) } == 1)
        }
        var received = [UInt8](repeating: 0, count: 8)
        #expect(try received.withUnsafeMutableBytes { try reader.read(into: $0) } == 1)
        #expect(try received.withUnsafeMutableBytes { try reader.read(into: $0) } == 0, "the pipe has no writer left")
    }

    @Test("a missing file is told by the kernel's own word")
    func missing() {
        do throws(Errno) {
            _ = try FileDescriptor.open("/nowhere/at/all", O_RDONLY).raw
            Issue.record("a missing file was opened")
        } catch {
            #expect(error.code == ENOENT)
            #expect("\(error)" == "No such file or directory")
        }
    }

    @Test("pieces are written one behind the other at their place")
    func pieces() throws {
        try withFile { path in
            let file = try FileDescriptor.open(path, O_RDWR)
            let (first, second): ([UInt8], [UInt8]) = ([1, 2, 3], [4, 5])
            try first.withUnsafeBytes { first in
                try second.withUnsafeBytes { second in
                    try file.write(pieces: 2, at: 2) { $0 == 0 ? first : second }
                }
            }
            var read = [UInt8](repeating: 9, count: 10)
            let count = try read.withUnsafeMutableBytes { try file.read(into: $0, at: 0) }
            #expect(Array(read.prefix(count)) == [0, 0, 1, 2, 3, 4, 5])
        }
    }

    @Test("the lock of one open file keeps another out, and goes with its owner")
    func lock() throws {
        try withFile { path in
            let second = try FileDescriptor.open(path, O_RDWR)
            do {
                let first = try FileDescriptor.open(path, O_RDWR)
                #expect(try first.lockExclusively())
                #expect(try !second.lockExclusively())
            }
            #expect(try second.lockExclusively())
        }
    }

    @Test("the event loop tells which descriptor is ready")
    func epoll() throws {
        let epoll = try Epoll()
        let (first, second) = (try EventDescriptor(), try EventDescriptor())
        try epoll.add(first.raw, for: .readable, token: 1)
        try epoll.add(second.raw, for: .readable, token: 2)
        second.signal()
        var tokens: [UInt64] = []
        try epoll.wait(milliseconds: 1000) { token, readiness in
            tokens.append(token)
            #expect(readiness == .readable)
        }
        #expect(tokens == [2])
        second.clear()
        #expect(try epoll.wait(milliseconds: 0) { _, _ in } == 0)
    }

    @Test("a timer runs out at its moment and then at its interval")
    func timer() throws {
        let timer = try TimerDescriptor()
        #expect(timer.expirations() == 0)
        try timer.arm(at: .now + 1_000_000, interval: 1_000_000)
        var entry = pollfd(fd: timer.raw, events: Int16(POLLIN), revents: 0)
        #expect(poll(&entry, 1, 10_000) == 1)
        #expect(timer.expirations() >= 1)
    }

    @Test("a timer that is stopped has not run out")
    func stoppedTimer() throws {
        let timer = try TimerDescriptor()
        try timer.arm(at: .now)
        var entry = pollfd(fd: timer.raw, events: Int16(POLLIN), revents: 0)
        #expect(poll(&entry, 1, 10_000) == 1)
        try timer.disarm()
        #expect(poll(&entry, 1, 0) == 0)
        #expect(timer.expirations() == 0)
    }

    @Test("what appears in a folder, or becomes allowed there, is told by name")
    func directoryWatch() throws {
        var template = Array("/tmp/kinebox-watch-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer { rmdir(folder) }
        let file = "\(folder)/event3"
        let watch = try DirectoryWatch()
        let number = try watch.add(folder)
        _ = try FileDescriptor.open(file, O_WRONLY | O_CREAT).raw
        defer { unlink(file) }
        #expect(changes(watch) == ["\(number) event3"])
        #expect(changes(watch).isEmpty)
        #expect(chmod(file, 0o600) == 0)
        #expect(changes(watch) == ["\(number) event3"])
        #expect(try watch.add(folder) == number)
        #expect(throws: Errno(ENOENT)) { try watch.add("\(folder)/none") }
    }

    private func changes(_ watch: borrowing DirectoryWatch) -> [String] {
        var told: [String] = []
        watch.changes { told.append("\($0) \($1)") }
        return told
    }

    @Test("a queue between two threads loses nothing and keeps the order")
    func queue() throws {
        let queue = BoundedQueue<Int>(capacity: 7)
        let received = Mutex<[Int]>([])
        let count = 20_000
        let taker = try Thread("taker") {
            var next: [Int] = []
            while next.count < count {
                if let element = queue.take() { next.append(element) } else { sched_yield() }
            }
            received.withLock { $0 = next }
        }
        for element in 0..<count {
            while !queue.put(element) { sched_yield() }
        }
        taker.join()
        #expect(received.withLock { $0 } == Array(0..<count))
        #expect(queue.count == 0)
    }

    @Test("a full queue refuses")
    func full() {
        let queue = BoundedQueue<Int>(capacity: 2)
        #expect(queue.put(1) && queue.put(2) && !queue.put(3))
        #expect(queue.take() == 1)
        #expect(queue.put(3))
        #expect(queue.take() == 2 && queue.take() == 3 && queue.take() == nil)
    }
}
