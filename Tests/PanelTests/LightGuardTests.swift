import Glibc
import Linux
import Synchronization
import Testing

@testable import Panel

@Suite("Who stands for the lights when nobody does")
struct LightGuardTests {
    private func will(_ folder: TemporaryFolder) throws -> LastWill {
        try folder.write("first", "")
        try folder.write("second", "")
        return LastWill(writes: [
            .init(path: "\(folder.path)/first", text: "dark"), .init(path: "\(folder.path)/missing", text: "nothing"),
            .init(path: "\(folder.path)/second", text: "1 250 1 0 0 1500 0 0"),
        ])
    }

    @Test("a guard that is dismissed has done nothing, and is gone")
    func dismissed() throws {
        let folder = try TemporaryFolder()
        let will = try will(folder)
        do {
            let keeper = try LightGuard(will)
            #expect(keeper.raw > 0)
        }
        // The dismissal has waited for its end, so what it would have written stood there now.
        #expect(folder.text("first") == "" && folder.text("second") == "")
    }

    @Test("the end of the thread that began it is the end of the program, even where another thread hangs on")
    func threadEnds() throws {
        let folder = try TemporaryFolder()
        let will = try will(folder)
        let keeper = Mutex<LightGuard?>(nil)
        let thread = try Thread("owner") {
            keeper.withLock { $0 = try? LightGuard(will) }
        }
        thread.join()
        let raw = try #require(keeper.withLock { $0?.raw })
        var entry = pollfd(fd: raw, events: Int16(POLLIN), revents: 0)
        #expect(poll(&entry, 1, 30_000) == 1, "the guard has ended")
        #expect(folder.text("first") == "dark")
        #expect(folder.text("second") == "1 250 1 0 0 1500 0 0", "what cannot be written is passed over")
        #expect(folder.text("missing") == nil)
    }

    @Test("a guard keeps nothing open but what it needs")
    func descriptors() throws {
        let folder = try TemporaryFolder()
        let will = try will(folder)
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { close(ends[0]) }
        let keeper = try LightGuard(will)
        close(ends[1])
        // Were the writing end open in the guard, the pipe would have no end.
        var entry = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
        #expect(poll(&entry, 1, 30_000) == 1)
        #expect(entry.revents & Int16(POLLHUP) != 0)
        #expect(keeper.raw > 0)
    }
}
