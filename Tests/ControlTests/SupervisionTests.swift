import Glibc
import Judges
import Linux
import Testing

@testable import Control

/// The service manager and the journal hear what they are told, in their own words; nobody waits for either.
@Suite struct SupervisionTests {
    private let folder: TemporaryFolder
    private let inbox: DatagramInbox

    init() throws {
        folder = try TemporaryFolder()
        inbox = try #require(DatagramInbox(at: folder.file("inbox")))
    }

    @Test func theManagerHearsOfEachStepOfAServicesLife() throws {
        var manager = Supervisor(at: inbox.path, watchdogMicroseconds: 20_000_000)
        let (isPresent, interval) = (manager.isPresent, manager.watchdogInterval)
        #expect(isPresent && interval == 20_000_000_000)
        manager.ready(status: "ready,\nwith a stick")
        #expect(inbox.nextLines() == ["READY=1", "STATUS=ready, with a stick"])
        manager.feedWatchdog()
        #expect(inbox.nextLines() == ["WATCHDOG=1"])
        manager.triggerWatchdog()
        #expect(inbox.nextLines() == ["WATCHDOG=trigger"])
        manager.extendTimeout(nanoseconds: 3_000_000_000)
        #expect(inbox.nextLines() == ["EXTEND_TIMEOUT_USEC=3000000"])
        manager.stopping()
        #expect(inbox.nextLines() == ["STOPPING=1"])
        #expect(inbox.next() == nil)
    }

    @Test func aReloadCarriesTheMomentAtWhichItBegan() throws {
        let manager = Supervisor(at: inbox.path)
        let before = MonotonicTime.now.nanoseconds / 1000
        manager.reloading()
        let lines = try #require(inbox.nextLines())
        try #require(lines.count == 2 && lines[0] == "RELOADING=1" && lines[1].hasPrefix("MONOTONIC_USEC="))
        let moment = try #require(Int64(lines[1].dropFirst("MONOTONIC_USEC=".count)))
        #expect((before...MonotonicTime.now.nanoseconds / 1000).contains(moment))
    }

    @Test func theSameStatusIsToldOnce() {
        var manager = Supervisor(at: inbox.path)
        manager.show(status: "idle")
        manager.show(status: "idle")
        manager.show(status: "recording")
        #expect(inbox.nextLines() == ["STATUS=idle"])
        #expect(inbox.nextLines() == ["STATUS=recording"])
        #expect(inbox.next() == nil)
    }

    @Test func withoutAManagerNothingIsSentAndNothingFails() {
        var none = Supervisor(at: nil)
        let (isPresent, interval) = (none.isPresent, none.watchdogInterval)
        #expect(!isPresent && interval == nil)
        none.ready(status: "ready")
        var gone = Supervisor(at: folder.file("gone"))
        gone.ready(status: "ready")
        gone.feedWatchdog()
        let elsewhere = Supervisor(at: "vsock:2:1")
        let isElsewhere = elsewhere.isPresent
        #expect(!isElsewhere)
        #expect(inbox.next() == nil)
    }

    @Test func aManagerThatDoesNotReadHoldsNobodyUp() {
        var manager = Supervisor(at: inbox.path)
        for _ in 0..<10_000 { manager.feedWatchdog() }
        manager.show(status: "recording")
        while inbox.next() != nil {}
        // A status for which there was no room is not taken for told.
        manager.show(status: "recording")
        #expect(inbox.nextLines() == ["STATUS=recording"])
    }

    @Test func anEntryHasItsTextItsEventAndItsFields() {
        var journal = Journal(for: "kineboxd", at: inbox.path)
        journal.write(
            JournalEntry(
                "Recording ended.", .notice, identifier: String(repeating: "a", count: 32),
                fields: [.init("KINEBOX_PATH", "/media/a=b.mp4"), .init("KINEBOX_FRAMES", "3")]))
        #expect(
            inbox.nextLines() == [
                "MESSAGE=Recording ended.", "PRIORITY=5", "SYSLOG_IDENTIFIER=kineboxd",
                "MESSAGE_ID=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "KINEBOX_PATH=/media/a=b.mp4", "KINEBOX_FRAMES=3",
            ])
    }

    @Test func aValueOfSeveralLinesIsOneFieldAndAnEndlessOneIsCut() throws {
        let entry = JournalEntry(
            "two\nlines", fields: [.init("KINEBOX_REASON", String(repeating: "x", count: 1 << 20))])
        let bytes = entry.serialised(for: "k")
        #expect(bytes.starts(with: Array("MESSAGE\n".utf8) + [9, 0, 0, 0, 0, 0, 0, 0] + Array("two\nlines\n".utf8)))
        #expect(bytes.count < 20_000 && bytes.last == 0x0A)
    }

    @Test func whatTheJournalHasNoRoomForIsCountedAndTold() throws {
        var journal = Journal(for: "kineboxd", at: inbox.path)
        while journal.lost == 0 { journal.write(JournalEntry("one of many")) }
        while inbox.next() != nil {}
        journal.write(JournalEntry("the last one"))
        #expect(inbox.nextLines()?.first == "MESSAGE=Entries for which the journal had no room: 1.")
        #expect(inbox.nextLines()?.first == "MESSAGE=the last one")
        let lost = journal.lost
        #expect(lost == 0)
    }
}
