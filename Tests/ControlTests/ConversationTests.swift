import FakeRecorder
import Glibc
import Linux
import Media
import Testing

@testable import Control

/// What is asked for is done, answered once, and in its order.
@Suite struct ConversationTests {
    private let rig: Rig
    private let client: RigClient

    init() throws {
        rig = try Rig()
        client = try rig.client()
    }

    @Test func aRecordingFromStartToStop() throws {
        let parameters = #"{"name":"talk","duration":2.5,"medium":"STICK","metadata":{"title":"Anatomy"}}"#
        let started = try rig.call(client, "Start", parameters)
        #expect(started["parameters"]["state"].text == "recording")
        #expect(started["parameters"]["path"].text == "/media/kinebox/STICK/talk.mp4")
        let requested = try #require(started["parameters"]["requested_ns"].whole)
        #expect(try #require(started["parameters"]["first_frame_ns"].whole) >= requested)
        let status = try rig.call(client, "GetStatus")["parameters"]["status"]
        #expect(status["state"].text == "recording" && status["safe"].flag == true && status["light"].text == "steady")
        let stopped = try rig.call(client, "Stop")["parameters"]
        #expect(stopped["path"].text == "/media/kinebox/STICK/talk.mp4")
        #expect(stopped["frames"]["captured"].whole == 31 && stopped["frames"]["dropped"].whole == 1)
        #expect(stopped["first_frame_ns"].whole == 1_000_000_000 && stopped["last_frame_ns"].whole == 2_000_000_000)
        #expect(rig.recorder.calls == ["start talk 2.5 STICK", "stop"])
        #expect(rig.recorder.lastCaller?.peer.process == getpid())
    }

    @Test func aSecondStartLearnsWhatRuns() throws {
        _ = try rig.call(client, "Start", #"{"name":"first"}"#)
        let second = try rig.call(client, "Start")
        #expect(second["error"].text == "io.kinebox.Recorder.AlreadyRecording")
        #expect(second["parameters"]["clip"]["path"].text == "/media/kinebox/STICK/first.mp4")
        #expect(second["parameters"]["mend"].text == "Stop it first.")
    }

    @Test func anAnswerThatComesLateKeepsItsPlaceAndHoldsNobodyUp() throws {
        rig.recorder.holdsStop = true
        _ = try rig.call(client, "Start")
        client.send(#"{"method":"io.kinebox.Recorder.Stop"}"#)
        client.send(#"{"method":"io.kinebox.Recorder.GetStatus"}"#)
        rig.settle()
        #expect(try client.replies().isEmpty, "what was asked after Stop is answered after it")
        let other = try rig.client()
        #expect(try rig.call(other, "GetStatus")["parameters"]["status"]["state"].text == "finalising")
        rig.recorder.finish()
        rig.settle()
        let replies = try client.replies()
        try #require(replies.count == 2)
        #expect(replies[0]["parameters"]["end"].text == "stopped")
        #expect(replies[1]["parameters"]["status"]["state"].text == "idle")
    }

    @Test func manyCallsInOneGoAreAnsweredInTheirOrder() throws {
        let call = #"{"method":"io.kinebox.Recorder.Extend","parameters":{"duration":"#
        client.send(bytes: (1...100).flatMap { Array("\(call)\($0)}}".utf8) + [0] })
        rig.settle()
        var remaining: [Int64?] = []
        while remaining.count < 100 {
            // A client that reads nothing is held back after so many replies as its socket takes.
            let more = try client.replies().map { $0["parameters"]["remaining_ns"].whole }
            try #require(!more.isEmpty)
            remaining += more
            rig.settle()
        }
        #expect(remaining == (1...100).map { $0 * 1_000_000_000 })
    }

    @Test func aCallThatArrivesByteByByteIsUnderstood() throws {
        for byte in Array(#"{"method":"io.kinebox.Recorder.Snapshot"}"#.utf8) + [0] {
            client.send(bytes: [byte])
            rig.settle()
        }
        #expect(try client.replies().map { $0["parameters"]["path"].text } == ["/media/kinebox/STICK/still.jpg"])
    }

    @Test(arguments: ["", #","parameters":null"#, #","parameters":{}"#])
    func missingParametersAreEmptyOnes(_ parameters: String) throws {
        let replies = try rig.ask(client, #"{"method":"io.kinebox.Recorder.Start"\#(parameters)}"#)
        #expect(replies.map { $0["parameters"]["path"].text } == ["/media/kinebox/STICK/clip1.mp4"])
    }

    @Test func oneWayCallsAreDoneWithoutAReply() throws {
        client.send(#"{"method":"io.kinebox.Recorder.Identify","oneway":true}"#)
        client.send(#"{"method":"io.kinebox.Recorder.Mark","parameters":{"label":"x"},"oneway":true}"#)
        client.send(#"{"method":"io.kinebox.Recorder.Nonsense","oneway":true}"#)
        let replies = try rig.ask(client, #"{"method":"io.kinebox.Recorder.GetStatus"}"#)
        #expect(rig.recorder.calls == ["identify", "mark x"])
        #expect(replies.count == 1 && replies[0]["parameters"]["status"]["state"].text == "idle")
    }

    @Test(arguments: [
        ("nothing", "org.varlink.service.MethodNotFound", "method", "nothing"),
        ("io.kinebox.Recorder.Dance", "org.varlink.service.MethodNotFound", "method", "io.kinebox.Recorder.Dance"),
        ("org.varlink.service.Dance", "org.varlink.service.MethodNotFound", "method", "org.varlink.service.Dance"),
        ("io.example.Ping", "org.varlink.service.InterfaceNotFound", "interface", "io.example"),
        ("io.kinebox.Recorder.Subscribe", "org.varlink.service.ExpectedMore", "", ""),
    ])
    func whatIsNotThereIsNamed(_ method: String, _ error: String, _ field: String, _ value: String) throws {
        let replies = try rig.ask(client, #"{"method":"\#(method)"}"#)
        #expect(replies.count == 1 && replies[0]["error"].text == error)
        if !field.isEmpty { #expect(replies[0]["parameters"][field].text == value) }
        #expect(try rig.call(client, "GetStatus")["error"] == .null, "the connection goes on")
    }

    @Test(arguments: [
        ("Start", #"{"nmae":"x"}"#, "nmae"), ("Start", #"{"name":5}"#, "name"),
        ("Start", #"{"duration":"5"}"#, "duration"),
        ("Start", #"{"metadata":{"titel":"x"}}"#, "titel"), ("Start", #"{"metadata":"x"}"#, "metadata"),
        ("Start", #"[]"#, "parameters"), ("Start", #""x""#, "parameters"), ("Stop", #"{"now":true}"#, "now"),
        ("Extend", "{}", "duration"), ("SetMetadata", "{}", "metadata"), ("ListClips", #"{"limit":"5"}"#, "limit"),
        ("Subscribe", #"{"levels":true}"#, "levels"),
    ])
    func aParameterThatDoesNotFitIsNamed(_ method: String, _ parameters: String, _ name: String) throws {
        let reply = try rig.call(client, method, parameters)
        #expect(reply["error"].text == "org.varlink.service.InvalidParameter")
        #expect(reply["parameters"]["parameter"].text == name)
        #expect(rig.recorder.calls.isEmpty)
    }

    @Test(arguments: [
        ("Start", #"{"duration":0}"#), ("Start", #"{"duration":-1}"#), ("Start", #"{"duration":1e300}"#),
        ("Extend", #"{"duration":-5}"#), ("ListClips", #"{"limit":0}"#), ("ListClips", #"{"limit":101}"#),
    ])
    func aValueThatCannotBeIsRefusedInWords(_ method: String, _ parameters: String) throws {
        let reply = try rig.call(client, method, parameters)
        #expect(reply["error"].text == "io.kinebox.Recorder.InvalidValue")
        #expect(reply["parameters"]["mend"].text?.isEmpty == false)
        #expect(rig.recorder.calls.isEmpty)
    }

    @Test func theServiceIntroducesItself() throws {
        let info = try rig.ask(client, #"{"method":"org.varlink.service.GetInfo"}"#)[0]["parameters"]
        #expect(info["vendor"].text == "Kinebox" && info["version"].text == "1.2")
        #expect(info["interfaces"] == .list([.text("io.kinebox.Recorder"), .text("org.varlink.service")]))
        func ask(_ interface: String) throws -> JSONValue {
            let method = "org.varlink.service.GetInterfaceDescription"
            let call = #"{"method":"\#(method)","parameters":{"interface":"\#(interface)"}}"#
            return try rig.ask(client, call)[0]
        }
        let text = try ask("io.kinebox.Recorder")["parameters"]["description"].text
        #expect(text == InterfaceDescription.text(of: "io.kinebox.Recorder"))
        #expect(try ask("io.example")["error"].text == "org.varlink.service.InterfaceNotFound")
    }

    @Test func aListThatIsTooLongForAMessageIsCutAndGoneOnWith() throws {
        rig.recorder.clips = (1...250).map { number in
            var clip = FakeRecorder.fullClip(number: number)
            clip.metadata?.comment = String(repeating: "long ", count: 300)
            return clip
        }
        var found: [String] = []
        var next: String?
        repeat {
            let after = next.map { #"{"after":"\#($0)"}"# } ?? "{}"
            let reply = try rig.call(client, "ListClips", after)["parameters"]
            guard case .list(let clips) = reply["clips"] else { break }
            found += clips.compactMap { $0["path"].text }
            #expect(!clips.isEmpty && clips.count < 100)
            next = reply["next"].text
        } while next != nil && found.count < 1000
        #expect(found == rig.recorder.clips.map(\.path))
    }

    @Test func whatTheRecorderForgetsToAnswerIsAnsweredForIt() throws {
        _ = try rig.call(client, "Start")
        do {
            var answer: Answer<RecorderAPI.Nothing>? = Answer { result in
                if case .failure(let refusal) = result {
                    #expect(refusal.failure.kind == .internalFault)
                } else {
                    Issue.record("nothing was done")
                }
            }
            #expect(answer != nil)
            answer = nil
        }
        var results = 0
        let answer = Answer<RecorderAPI.Nothing> { _ in results += 1 }
        answer.succeed(.init())
        answer.refuse(Failure(.busy, "cannot", because: "no"))
        #expect(results == 1, "a call is answered once")
    }
}
