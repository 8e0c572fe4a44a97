import FakeRecorder
import Linux
import Testing

@testable import Control

/// Whoever follows the recorder knows its newest state, however slowly it reads, and holds nobody up.
@Suite struct SubscriptionTests {
    private static let subscribe = #"{"method":"io.kinebox.Recorder.Subscribe","more":true}"#

    @Test func thePresentStateComesFirstAndThenWhatChanges() throws {
        let rig = try Rig()
        let (follower, other) = (try rig.client(), try rig.client())
        let first = try rig.ask(follower, Self.subscribe)
        try #require(first.count == 1)
        #expect(first[0]["continues"].flag == true)
        #expect(first[0]["parameters"]["status"]["state"].text == "idle")
        #expect(first[0]["parameters"]["media"][0]["name"].text == "STICK")
        _ = try rig.call(other, "Start")
        rig.server.announce("a recording runs", .information)
        let second = try follower.replies()
        try #require(second.count == 1)
        #expect(second[0]["parameters"]["status"]["state"].text == "recording")
        #expect(second[0]["parameters"]["notices"][0]["text"].text == "a recording runs")
        #expect(second[0]["parameters"]["notices"][0]["number"].whole == 1)
    }

    @Test func whatHappenedBeforeIsNoNews() throws {
        let rig = try Rig()
        rig.server.announce("long ago", .warning)
        let follower = try rig.client()
        #expect(try rig.ask(follower, Self.subscribe)[0]["parameters"]["notices"].count == 0)
        rig.server.announceChange()
        #expect(try follower.replies()[0]["parameters"]["notices"].count == 0)
    }

    @Test func whoReadsSlowlyGetsTheNewestStateAndTheLastNotices() throws {
        let rig = try Rig()
        rig.recorder.isTalkative = true
        let (slow, quick) = (try rig.client(), try rig.client())
        slow.send(Self.subscribe)
        quick.send(Self.subscribe)
        rig.settle()
        _ = try quick.replies()
        var seen: Int64 = 0
        for number in 1...400 {
            rig.server.announce("notice \(number)", .information)
            let replies = try quick.replies()
            try #require(replies.count == 1, "who reads at once misses nothing")
            seen += Int64(replies[0]["parameters"]["notices"].count ?? 0)
        }
        #expect(seen == 400)
        rig.recorder.isTalkative = false
        _ = try rig.call(try rig.client(), "Start", #"{"name":"newest"}"#)
        rig.server.announceChange()
        var replies: [JSONValue] = []
        for _ in 0..<1000 {
            replies += try slow.replies()
            rig.settle()
        }
        let last = try #require(replies.last)["parameters"]
        #expect(replies.count < 400, "what is old by then is not sent")
        #expect(last["status"]["clip"]["path"].text == "/media/kinebox/STICK/newest.mp4")
        let notices = replies.compactMap { $0["parameters"]["notices"].count }.reduce(0, +)
        let missed = replies.compactMap { $0["parameters"]["missed"].whole }.reduce(0, +)
        #expect(Int64(notices) + missed == 400, "every notice has come or is counted as missed")
        #expect(missed > 0)
    }

    @Test func whoNeverReadsIsDroppedAndHoldsNobodyUp() throws {
        let rig = try Rig()
        rig.recorder.isTalkative = true
        let (deaf, other) = (try rig.client(), try rig.client())
        deaf.send(Self.subscribe)
        rig.settle()
        for _ in 1...500 { rig.server.announceChange() }
        #expect(rig.server.clientCount == 2)
        #expect(!rig.isBusy, "a full socket is waited for, not tried again and again")
        rig.server.expire(at: .now + 9_000_000_000)
        #expect(rig.server.clientCount == 2, "it has ten seconds")
        rig.server.expire(at: .now + 11_000_000_000)
        #expect(rig.server.clientCount == 1)
        #expect(try rig.call(other, "GetStatus")["error"] == .null)
    }

    @Test func aFollowerThatGoesIsForgotten() throws {
        let rig = try Rig()
        do {
            let follower = try rig.client()
            _ = try rig.ask(follower, Self.subscribe)
        }
        rig.settle()
        #expect(rig.server.clientCount == 0)
        rig.server.announceChange()
    }

    @Test func aFollowerThatHasEndedItsSideGetsTheFirstStateAndTheEnd() throws {
        let rig = try Rig()
        let follower = try rig.client()
        follower.send(Self.subscribe)
        follower.endSending()
        rig.settle()
        #expect(try follower.replies().count == 1)
        #expect(follower.isClosed && rig.server.clientCount == 0)
    }

    @Test func aFollowerThatSendsAndSendsIsEnded() throws {
        let rig = try Rig()
        let follower = try rig.client()
        _ = try rig.ask(follower, Self.subscribe)
        for _ in 0..<20 {
            follower.send(bytes: [UInt8](repeating: 32, count: 8 << 10))
            rig.settle()
        }
        _ = try follower.replies()
        #expect(follower.isClosed && rig.server.clientCount == 0)
    }

    @Test func noticesThatDoNotFitIntoAMessageCountAsMissedAndTheStateComesAllTheSame() throws {
        let rig = try Rig()
        let follower = try rig.client()
        _ = try rig.ask(follower, Self.subscribe)
        // One letter to a reader, and twenty-five bytes.
        let family = String(repeating: "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}\u{200D}\u{1F466}", count: 400)
        var replies: [JSONValue] = []
        // What is read at once fits; what was let wait does not.
        for _ in 1...20 { rig.server.announce(family, .information) }
        for _ in 0..<100 {
            replies += try follower.replies()
            rig.settle()
        }
        let told = replies.compactMap { $0["parameters"]["notices"].count }.reduce(0, +)
        let missed = replies.compactMap { $0["parameters"]["missed"].whole }.reduce(0, +)
        #expect(told + Int(missed) == 20)
        #expect(!follower.isClosed && rig.server.clientCount == 1)
        _ = try rig.call(try rig.client(), "Start")
        rig.server.announceChange()
        #expect(try follower.replies().last?["parameters"]["status"]["state"].text == "recording")
    }
}
