import FakeRecorder
import Judges
import Linux
import Testing

@testable import Control

/// Whatever a client does, the others are served, and nothing is kept of it.
@Suite struct HostileClientTests {
    private let rig: Rig
    private let good: RigClient

    init() throws {
        rig = try Rig()
        good = try rig.client()
    }

    private func expectGoodIsServed() throws {
        #expect(try rig.call(good, "GetStatus")["parameters"]["status"]["state"].text == "idle")
    }

    @Test(arguments: [
        "", "{", "}", "null", "5", "[]", "\"x\"", "{}", #"{"method":5}"#, #"{"method":null}"#, "hello\n",
        "GET / HTTP/1.1\r\n",
        #"{"method":"io.kinebox.Recorder.GetStatus","more":"yes"}"#, #"{"method":"io.kinebox.Recorder.GetStatus""#,
        #"{"method":"io.kinebox.Recorder.GetStatus"}}"#, String(repeating: "[", count: 60_000),
        String(repeating: #"{"a":"#, count: 10_000),
    ])
    func whoSpeaksSomethingElseIsToldSoAndClosed(_ message: String) throws {
        let client = try rig.client()
        let replies = try rig.ask(client, message)
        #expect(replies.map { $0["error"].text } == ["io.kinebox.Recorder.InvalidValue"])
        #expect(client.isClosed)
        try expectGoodIsServed()
        #expect(rig.server.clientCount == 1)
    }

    @Test func bytesThatAreNoTextAreToldSo() throws {
        let client = try rig.client()
        client.send(bytes: [0xFF, 0xFE, 0x80, 0xC0, 0x22, 0])
        rig.settle()
        #expect(try client.replies().count == 1 && client.isClosed)
        try expectGoodIsServed()
    }

    @Test func theLongestMessageIsTakenAndALongerOneIsNot() throws {
        let call = #"{"method":"io.kinebox.Recorder.Identify"}"#
        let longest = call + String(repeating: " ", count: (64 << 10) - call.utf8.count)
        for (message, isTaken) in [(longest, true), (longest + " ", false)] {
            let client = try rig.client()
            var bytes = Array(message.utf8) + [0]
            while !bytes.isEmpty {
                let count = client.send(bytes: bytes)
                guard count > 0 else { break }
                bytes.removeFirst(count)
                rig.settle()
            }
            let replies = try client.replies()
            #expect(replies.count == 1 && (replies[0]["error"] == .null) == isTaken)
            #expect(client.isClosed != isTaken)
        }
        #expect(rig.recorder.calls == ["identify"])
        try expectGoodIsServed()
    }

    @Test func aMessageWithoutAnEndIsCutOffAtItsLimit() throws {
        let client = try rig.client()
        let piece = [UInt8](repeating: UInt8(ascii: "{"), count: 10_000)
        var taken = 0
        for _ in 0..<1000 where !client.isClosed {
            taken += client.send(bytes: piece)
            rig.settle()
            _ = try client.replies()
        }
        #expect(client.isClosed && taken < 1_000_000)
        try expectGoodIsServed()
    }

    @Test func aMessageThatDoesNotGoOnIsGivenUp() throws {
        let (slow, resting) = (try rig.client(), try rig.client())
        slow.send(bytes: Array(#"{"method":"#.utf8))
        rig.settle()
        rig.server.expire(at: .now + 5_000_000_000)
        slow.send(bytes: Array(#""io.kinebox"#.utf8))
        rig.settle()
        #expect(!slow.isClosed)
        rig.server.expire(at: .now + 11_000_000_000)
        _ = try slow.replies()
        #expect(slow.isClosed, "a byte now and then does not hold the place")
        _ = try resting.replies()
        #expect(!resting.isClosed, "who has not begun may rest for as long as it likes")
        try expectGoodIsServed()
    }

    @Test func whoDoesNotReadItsReplyIsHeldBackAndThenDropped() throws {
        rig.recorder.clips = (1...100).map { FakeRecorder.fullClip(number: $0) }
        let client = try rig.client()
        var sent = 0
        for _ in 0..<500 {
            sent += client.send(bytes: Array(#"{"method":"io.kinebox.Recorder.ListClips"}"#.utf8) + [0])
            rig.settle()
        }
        #expect(rig.recorder.calls.count < 100, "no call is carried out before the reply before it was taken")
        try expectGoodIsServed()
        rig.server.expire(at: .now + 11_000_000_000)
        #expect(rig.server.clientCount == 1)
    }

    @Test func whoEndsItsSideGetsWhatItAskedFor() throws {
        rig.recorder.holdsStop = true
        let client = try rig.client()
        _ = try rig.call(client, "Start")
        client.send(#"{"method":"io.kinebox.Recorder.Stop"}"#)
        client.send(#"{"method":"io.kinebox.Recorder.GetStatus"}"#)
        client.endSending()
        rig.settle()
        #expect(!rig.isBusy && rig.server.clientCount == 2)
        rig.recorder.finish()
        rig.settle()
        #expect(try client.replies().count == 2)
        #expect(client.isClosed && rig.server.clientCount == 1)
    }

    @Test func whoGoesAwayBeforeItsAnswerIsForgottenAndItsCallIsNot() throws {
        rig.recorder.holdsStop = true
        do {
            let client = try rig.client()
            _ = try rig.call(client, "Start")
            client.send(#"{"method":"io.kinebox.Recorder.Stop"}"#)
            rig.settle()
        }
        rig.settle()
        #expect(rig.server.clientCount == 1)
        #expect(rig.recorder.calls.last == "stop")
        rig.recorder.finish()
        try expectGoodIsServed()
    }

    @Test func whatWasSentBeforeGoingAwayIsDone() throws {
        do {
            let client = try rig.client()
            for _ in 0..<3 { client.send(#"{"method":"io.kinebox.Recorder.Identify","oneway":true}"#) }
        }
        rig.settle()
        #expect(rig.recorder.calls == ["identify", "identify", "identify"])
        #expect(rig.server.clientCount == 1)
    }

    @Test func theSeventeenthClientIsToldAndClosed() throws {
        var clients: [RigClient] = []
        for _ in 1...15 { clients.append(try rig.client()) }
        for client in clients { #expect(try rig.call(client, "GetStatus")["error"] == .null) }
        let seventeenth = try rig.client()
        let told = try seventeenth.replies()
        #expect(told.map { $0["error"].text } == ["io.kinebox.Recorder.Busy"])
        #expect(told[0]["parameters"]["state"].text == "idle")
        #expect(seventeenth.isClosed)
        clients.removeLast()
        rig.settle()
        #expect(try rig.call(try rig.client(), "GetStatus")["error"] == .null, "a place that is left is given again")
    }

    @Test(arguments: [
        ("Start", #"{"metadata":{"title":"TEXT"}}"#, "InvalidValue"),
        ("Start", #"{"metadata":{"comment":"TEXT"}}"#, "InvalidValue"), ("Start", #"{"name":"TEXT"}"#, "InvalidName"),
        ("Start", #"{"medium":"TEXT"}"#, "InvalidValue"), ("Mark", #"{"label":"TEXT"}"#, "InvalidValue"),
        ("SetMetadata", #"{"metadata":{"author":"TEXT"}}"#, "InvalidValue"),
        ("Eject", #"{"medium":"TEXT"}"#, "InvalidValue"), ("ListClips", #"{"after":"TEXT"}"#, "InvalidValue"),
    ])
    func aTextThatWouldFillEveryReplyIsNotTaken(_ method: String, _ parameters: String, _ error: String) throws {
        for text in [String(repeating: "x", count: 60_000), String(repeating: "\\u0001", count: 400)] {
            let client = try rig.client()
            let reply = try rig.call(client, method, parameters.split(separator: "TEXT").joined(separator: text))
            #expect(reply["error"].text == "io.kinebox.Recorder.\(error)")
            #expect(reply["parameters"]["mend"].text?.isEmpty == false)
        }
        #expect(rig.recorder.calls.isEmpty)
        try expectGoodIsServed()
    }

    @Test func theLongestTextsThatAreTakenFitIntoEveryReply() throws {
        let title = String(repeating: #"\""#, count: 500)
        let comment = String(repeating: #"\n"#, count: 4000)
        let text = #"{"metadata":{"title":"\#(title)","author":"\#(title)","comment":"\#(comment)"}}"#
        #expect(try rig.call(good, "SetMetadata", text)["error"] == .null)
        #expect(try rig.call(good, "Start", text)["error"] == .null)
        #expect(try rig.call(good, "Start", text)["error"].text == "io.kinebox.Recorder.AlreadyRecording")
    }

    @Test func anErrorThatNamesSomethingHugeFitsIntoAMessage() throws {
        let client = try rig.client()
        let name = String(repeating: "é", count: 32_745)
        for call in [#"{"method":"io.kinebox.Recorder.\#(name)"}"#, #"{"method":"\#(name).x"}"#] {
            let bytes = Array(call.utf8) + [0]
            var sent = 0
            while sent < bytes.count {
                sent += client.send(bytes: Array(bytes[sent...]))
                rig.settle()
            }
            let replies = try client.replies()
            #expect(replies.count == 1 && replies[0]["error"].text?.hasSuffix(".Internal") == true)
        }
        try expectGoodIsServed()
    }

    @Test func someThousandInputsOfAllKinds() throws {
        let seeds = [
            #"{"method":"io.kinebox.Recorder.Start","parameters":{"name":"x","duration":1.5,"metadata":{"title":"y"}}}"#,
            #"{"method":"io.kinebox.Recorder.Stop","oneway":true}"#, #"{"method":"org.varlink.service.GetInfo"}"#,
            #"{"method":"io.kinebox.Recorder.Subscribe","more":true}"#,
            #"{"method":"io.kinebox.Recorder.ListClips","parameters":{"limit":5,"after":"/a","medium":null}}"#,
        ].map { Array($0.utf8) + [0] }
        var random = Xorshift(state: 0x9E37_79B9_7F4A_7C15)
        var answered = 0
        for _ in 0..<4000 {
            let client = try rig.client()
            var bytes: [UInt8] = []
            for _ in 0...random.below(3) { bytes += seeds[random.below(seeds.count)] }
            for _ in 0..<random.below(6) { random.damage(&bytes) }
            var rest = bytes[...]
            while !rest.isEmpty {
                let part = rest.prefix(1 + random.below(rest.count))
                client.send(bytes: Array(part))
                rest = rest.dropFirst(part.count)
                rig.settle()
            }
            if random.below(2) == 0 { client.endSending() }
            rig.settle()
            answered += try client.replies().count
        }
        rig.settle()
        #expect(answered > 2000)
        #expect(rig.server.clientCount == 1)
        #expect(try rig.call(good, "ListMedia")["error"] == .null)
    }
}
