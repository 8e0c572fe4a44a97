import FakeRecorder
import Media
import Testing

@testable import Control

/// What is declared is served, and what is served is declared.
@Suite struct InterfaceTests {
    private let declared: DeclaredInterface

    init() throws {
        declared = try InterfaceParser.parse(try #require(InterfaceDescription.text(of: InterfaceDescription.recorder)))
    }

    @Test(arguments: InterfaceDescription.names)
    func everythingIsExplained(_ name: String) throws {
        let interface = try InterfaceParser.parse(try #require(InterfaceDescription.text(of: name)))
        #expect(interface.name == name)
        #expect(interface.undocumented.isEmpty)
    }

    @Test func linesAreShortEnoughToRead() throws {
        for name in InterfaceDescription.names {
            for line in try #require(InterfaceDescription.text(of: name)).split(separator: "\n") {
                #expect(line.count <= 124, "\(line)")
            }
        }
    }

    @Test func theMethodsAreTheSame() {
        #expect(Set(declared.methods.keys) == Set(RecorderMethod.allCases.map(\.rawValue)))
    }

    @Test func theErrorsAreTheTableOfFailures() throws {
        #expect(Set(declared.errors.keys) == Set(FailureKind.allCases.map(\.rawValue)))
        for kind in FailureKind.allCases {
            guard case .fields(let fields) = try #require(declared.errors[kind.rawValue]) else { continue }
            let own = Refusal.Field.own(of: kind).map(\.rawValue)
            #expect(fields.map(\.name) == ["thing", "cause", "mend"] + own, "\(kind)")
        }
    }

    @Test func theWordsAreTheSame() throws {
        typealias API = RecorderAPI
        let words: [(String, [String])] = [
            ("State", API.State.allCases.map(\.rawValue)), ("Light", API.Light.allCases.map(\.rawValue)),
            ("Warning", API.Warning.allCases.map(\.rawValue)), ("End", API.End.allCases.map(\.rawValue)),
            ("SignalState", API.Signal.State.allCases.map(\.rawValue)),
            ("MediumState", API.Medium.State.allCases.map(\.rawValue)),
            ("DeviceKind", API.Device.Kind.allCases.map(\.rawValue)),
            ("DeviceState", API.Device.State.allCases.map(\.rawValue)),
            ("Grade", API.Notice.Grade.allCases.map(\.rawValue)),
        ]
        for (name, served) in words {
            guard case .words(let known) = declared.types[name] else {
                Issue.record("\(name) is not declared as words")
                continue
            }
            #expect(Set(known) == Set(served), "\(name)")
        }
        #expect(declared.types.values.filter { if case .words = $0 { true } else { false } }.count == words.count)
    }

    @Test func theParametersAreTheSame() throws {
        let served: [(any RecorderCall.Type)] = [
            RecorderAPI.GetStatus.self, RecorderAPI.Start.self, RecorderAPI.Stop.self, RecorderAPI.Pause.self,
            RecorderAPI.Resume.self, RecorderAPI.Split.self, RecorderAPI.Mark.self, RecorderAPI.Snapshot.self,
            RecorderAPI.Extend.self, RecorderAPI.SetMetadata.self, RecorderAPI.ListClips.self,
            RecorderAPI.ListMedia.self,
            RecorderAPI.ListDevices.self, RecorderAPI.Eject.self, RecorderAPI.Identify.self, RecorderAPI.Subscribe.self,
        ]
        #expect(Set(served.map { $0.method }) == Set(RecorderMethod.allCases))
        for call in served {
            guard case .fields(let fields) = try #require(declared.methods[call.method.rawValue]).parameters else {
                continue
            }
            let names = Self.names(of: call)
            #expect(Set(fields.map(\.name)) == Set(names.keys), "\(call.method)")
            for field in fields where field.form == .optional(.named("Metadata")) || field.form == .named("Metadata") {
                #expect(names[field.name].map(Set.init) == ["title", "author", "comment"])
            }
        }
    }

    private static func names<Call: RecorderCall>(of call: Call.Type) -> [String: [String]] { Call.Parameters.names }

    /// Calls that together have every parameter and every kind of reply.
    private static let calls: [(method: String, parameters: String)] = [
        ("GetStatus", "{}"),
        ("Start", #"{"name":"a","metadata":{"title":"t","author":"a","comment":"c"},"duration":3,"medium":"STICK"}"#),
        ("Pause", "{}"), ("Resume", "{}"), ("Split", "{}"), ("Mark", #"{"label":"x"}"#), ("Snapshot", "{}"),
        ("Extend", #"{"duration":5}"#), ("SetMetadata", #"{"metadata":{"title":"t","author":"a","comment":"c"}}"#),
        ("ListClips", #"{"medium":"STICK","limit":2,"after":"/media/kinebox/STICK/clip1.mp4"}"#), ("ListMedia", "{}"),
        ("ListDevices", "{}"), ("Stop", "{}"), ("Eject", #"{"medium":"STICK"}"#), ("Identify", "{}"),
    ]

    @Test(arguments: [false, true])
    func whatGoesOverTheSocketIsWhatIsDeclared(_ isTalkative: Bool) throws {
        let rig = try Rig()
        rig.recorder.isTalkative = isTalkative
        rig.recorder.clips = (1...9).map { FakeRecorder.fullClip(number: $0) }
        let client = try rig.client()
        var called: Set<String> = ["Subscribe"]
        for (method, parameters) in Self.calls {
            called.insert(method)
            let form = try #require(declared.methods[method])
            let sent = try JSON.decode(JSONValue.self, Array(parameters.utf8)[...])
            #expect(declared.faults(in: sent, as: form.parameters, at: method).isEmpty)
            let reply = try rig.call(client, method, parameters)
            #expect(reply["error"] == .null, "\(reply)")
            #expect(declared.faults(in: reply["parameters"], as: form.reply, at: method).isEmpty)
            if isTalkative {
                #expect(declared.absent(in: sent, as: form.parameters, at: method).isEmpty)
                let absent = declared.absent(in: reply["parameters"], as: form.reply, at: method)
                #expect(absent.isEmpty, "the test misses a field: \(absent)")
            }
        }
        #expect(called == Set(declared.methods.keys))
        let reply = try rig.ask(client, #"{"method":"io.kinebox.Recorder.Subscribe","more":true}"#)
        rig.server.announce("something", .failure)
        let form = try #require(declared.methods["Subscribe"]).reply
        let replies = try reply + client.replies()
        #expect(replies.count == 2)
        for reply in replies { #expect(declared.faults(in: reply["parameters"], as: form, at: "Subscribe").isEmpty) }
    }

    @Test(arguments: FailureKind.allCases)
    func errorsCarryWhatIsDeclaredAndComeBackAsTheyWere(_ kind: FailureKind) throws {
        var full = Refusal(Failure(kind, "cannot do it", because: "it cannot be", mend: "Do something else."))
        full.clip = FakeRecorder.fullClip(number: 1)
        full.medium = "STICK"
        full.freeBytes = 5
        full.unsaved = 6
        full.signal = RecorderAPI.Signal(.noCable)
        full.state = .finalising
        full.name = "a:b"
        full.user = 1000
        full.groups = ["kinebox"]
        let form = try #require(declared.errors[kind.rawValue])
        for refusal in [Refusal(full.failure), full] {
            let bytes = try #require(RecorderServer.message(refusal))
            let message = try JSON.decode(JSONValue.self, bytes[...])
            #expect(message["error"].text == "io.kinebox.Recorder.\(kind.rawValue)")
            #expect(declared.faults(in: message["parameters"], as: form, at: kind.rawValue).isEmpty)
            let fields = try JSON.decode(ReceivedReply<RefusalFields>.self, bytes[...]).value
            let back = fields.refusal(refusal.errorName, of: "x")
            #expect(back.failure == refusal.failure)
            #expect(RecorderServer.message(back) == bytes)
        }
    }

    @Test(arguments: [
        ServiceError.interfaceNotFound("a"), .methodNotFound("a"), .invalidParameter("a"), .expectedMore,
    ])
    func theErrorsOfTheServiceAreDeclared(_ error: ServiceError) throws {
        let service = try InterfaceParser.parse(
            try #require(InterfaceDescription.text(of: InterfaceDescription.service)))
        let word = try #require(error.name.split(separator: ".").last)
        #expect(error.name == "org.varlink.service.\(word)")
        let form = try #require(service.errors[String(word)])
        let value = JSONValue.object(error.parameters.mapValues { .text($0) })
        #expect(service.faults(in: value, as: form, at: String(word)).isEmpty)
    }
}
