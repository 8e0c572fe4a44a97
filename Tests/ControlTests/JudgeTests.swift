import FakeRecorder
import Glibc
import Judges
import Linux
import Testing

@testable import Control

/// Clients that we did not write get along with the service.
@Suite struct JudgeTests {
    /// A Varlink client in Python, from the protocol's description alone.
    private static let client = """
        import json, socket, sys
        def connect(path):
            connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            connection.connect(path)
            return connection
        def send(connection, method, parameters=None, **more):
            message = {"method": method, **more}
            if parameters is not None:
                message["parameters"] = parameters
            connection.sendall(json.dumps(message).encode() + b"\\0")
        waiting = {}
        def receive(connection):
            data = waiting.pop(connection, b"")
            while b"\\0" not in data:
                more = connection.recv(4096)
                if not more:
                    raise SystemExit("the connection ended with %r" % data)
                data += more
            message, rest = data.split(b"\\0", 1)
            waiting[connection] = rest
            return json.loads(message)
        """

    @Test func pythonRecordsAndFollows() throws {
        let process = try FakeProcess(["--full"])
        let program =
            Self.client + """

                name = "io.kinebox.Recorder."
                a, b = connect(sys.argv[1]), connect(sys.argv[1])
                send(b, name + "Subscribe", {}, more=True)
                first = receive(b)
                assert first["continues"] is True and first["parameters"]["status"]["state"] == "idle", first
                send(a, name + "Start", {"name": "é – 录", "metadata": {"title": "\\t \\ud83c\\udfac"}})
                send(a, name + "Start")
                send(a, name + "Mark", {"label": None}, oneway=True)
                send(a, name + "Stop")
                replies = [receive(a) for _ in range(3)]
                assert replies[0]["parameters"]["path"] == replies[0]["parameters"]["clip"]["path"], replies
                assert replies[1]["error"] == name + "AlreadyRecording", replies
                assert replies[1]["parameters"]["clip"] == replies[0]["parameters"]["clip"], replies
                assert replies[2]["parameters"]["frames"] == {"captured": 31, "encoded": 30, "dropped": 1, "repeated": 0}
                for _ in range(3):
                    assert receive(b)["continues"] is True
                seen, after = [], None
                while True:
                    send(a, name + "ListClips", {"limit": 70, "after": after})
                    page = receive(a)["parameters"]
                    seen += [clip["path"] for clip in page["clips"]]
                    after = page.get("next")
                    if after is None:
                        break
                assert len(seen) == 250 and len(set(seen)) == 250, len(seen)
                print("done")
                """
        let ending = try ChildProcess("/usr/bin/python3", ["-c", program, process.socket]).wait()
        #expect(ending.text == "done\n", "\(ending)")
    }

    @Test(.enabled(if: geteuid() == 0, "only root may act as another user"))
    func aStrangerLooksWhereItMayAndNothingElse() throws {
        for (options, method, error) in [
            (["--everyone"], "GetStatus", "None"), (["--everyone"], "Start", "io.kinebox.Recorder.NotAuthorised"),
        ] {
            let process = try FakeProcess(options)
            let program =
                Self.client + """

                    a = connect(sys.argv[1])
                    send(a, "io.kinebox.Recorder." + sys.argv[2])
                    print(receive(a).get("error"))
                    """
            let stranger = ["--reuid=65534", "--regid=65534", "--clear-groups"]
            let ending = try ChildProcess(
                "setpriv", stranger + ["/usr/bin/python3", "-c", program, process.socket, method]
            ).wait()
            #expect(ending.text == "\(error)\n", "\(ending)")
        }
        let closed = try FakeProcess()
        let stranger = ["--reuid=65534", "--regid=65534", "--clear-groups"]
        let ending = try ChildProcess(
            "setpriv", stranger + ["/usr/bin/python3", "-c", Self.client + "\nconnect(sys.argv[1])", closed.socket]
        ).wait()
        #expect(ending.errors.contains("PermissionError"), "\(ending)")
    }

    /// systemd's own client, which has spoken with servers of others since systemd 257.
    private static let hasVarlinkctl: Bool = {
        guard let ending = try? ChildProcess("varlinkctl", ["--version"]).wait(), ending.exitCode == 0 else {
            return false
        }
        let words = ending.text.split(whereSeparator: \.isWhitespace)
        return words.count > 1 && (Int(words[1]) ?? 0) >= 257
    }()

    @Test(.enabled(if: hasVarlinkctl, "varlinkctl of systemd 257 or newer is not here"))
    func varlinkctlListsIntrospectsAndCalls() throws {
        let process = try FakeProcess()
        func run(_ arguments: String...) throws -> Ending { try ChildProcess("varlinkctl", arguments).wait() }
        let info = try run("info", process.socket)
        #expect(info.exitCode == 0 && info.text.contains("Kinebox"), "\(info)")
        let interfaces = try run("list-interfaces", process.socket)
        #expect(interfaces.text.contains("io.kinebox.Recorder"), "\(interfaces)")
        let description = try run("introspect", process.socket, "io.kinebox.Recorder")
        #expect(description.exitCode == 0 && description.text.contains("method Start"), "\(description)")
        let validation = try ChildProcess(
            "sh", ["-c", "varlinkctl introspect \"$0\" io.kinebox.Recorder | varlinkctl validate-idl", process.socket]
        ).wait()
        #expect(validation.exitCode == 0, "\(validation)")
        let started = try run("call", process.socket, "io.kinebox.Recorder.Start", #"{"name":"talk"}"#)
        #expect(started.exitCode == 0 && started.text.contains("talk.mp4"), "\(started)")
        let refused = try run("call", process.socket, "io.kinebox.Recorder.Start", "{}")
        #expect(refused.exitCode != 0 && refused.errors.contains("AlreadyRecording"), "\(refused)")
        let followed = try ChildProcess(
            "timeout", ["2", "varlinkctl", "--more", "call", process.socket, "io.kinebox.Recorder.Subscribe", "{}"]
        ).wait()
        #expect(followed.text.contains("recording"), "\(followed)")
    }

    @Test func thousandsOfClientsOneAfterAnotherLeaveNothingBehind() throws {
        let process = try FakeProcess()
        let program =
            Self.client + """

                import random
                random.seed(7)
                kinds = [
                    lambda c: (send(c, "io.kinebox.Recorder.GetStatus"), receive(c)),
                    lambda c: send(c, "io.kinebox.Recorder.ListClips"),
                    lambda c: c.sendall(b'{"method":'),
                    lambda c: c.sendall(b"nonsense\\0" * 3),
                    lambda c: (c.sendall(b"x\\0"), c.shutdown(socket.SHUT_WR)),
                    lambda c: (send(c, "io.kinebox.Recorder.Subscribe", more=True), receive(c)),
                    lambda c: [send(c, "io.kinebox.Recorder.ListClips") for _ in range(4)],
                    lambda c: None,
                ]
                for number in range(int(sys.argv[2])):
                    connection = connect(sys.argv[1])
                    try:
                        random.choice(kinds)(connection)
                    except (BrokenPipeError, ConnectionResetError, SystemExit):
                        pass
                    connection.close()
                    waiting.clear()
                a = connect(sys.argv[1])
                send(a, "io.kinebox.Recorder.GetStatus")
                reply = receive(a)
                while "error" in reply:
                    a = connect(sys.argv[1])
                    send(a, "io.kinebox.Recorder.GetStatus")
                    reply = receive(a)
                print(reply["parameters"]["status"]["state"])
                """
        func attack(_ count: Int) throws {
            let ending = try ChildProcess("/usr/bin/python3", ["-c", program, process.socket, "\(count)"]).wait(
                atMost: 600)
            #expect(ending.text == "idle\n", "\(ending)")
        }
        try attack(500)
        #expect(try process.isLeftAlone())
        let before = (try process.figure("descriptors"), try process.figure("memory_kb"))
        try attack(3000)
        #expect(try process.isLeftAlone())
        let after = (try process.figure("descriptors"), try process.figure("memory_kb"))
        #expect(after.0 == before.0)
        #expect(after.1 <= before.1 + 1024, "three thousand clients left \(after.1 - before.1) kB")
        #expect(process.end().exitCode == 0)
    }

    @Test func anAttackLeavesNothingBehindAndKeepsNobodyOut() throws {
        let process = try FakeProcess(["--full"])
        let attack = SocketAttack(process.socket, seed: 0x5EED)
        func round(_ steps: Int) throws {
            attack.run(steps: steps)
            attack.leave()
            #expect(try process.isLeftAlone())
            let client = try RecorderClient(.socket(process.socket))
            #expect(try client.call(RecorderAPI.GetStatus.self).status.peaks == [12_000, 0])
        }
        /// What the service holds once it has seen that the last client has gone.
        func held() throws -> (descriptors: Int, kilobytes: Int) {
            #expect(try process.isLeftAlone())
            return (try process.figure("descriptors"), try process.figure("memory_kb"))
        }
        // What the allocator keeps at hand is taken in the first rounds.
        for _ in 1...5 { try round(4000) }
        let before = try held()
        for _ in 1...10 { try round(4000) }
        let after = try held()
        #expect(attack.clients > 1000 && attack.bytes > 1_000_000 && attack.answered > 100_000)
        #expect(after.descriptors == before.descriptors)
        #expect(after.kilobytes <= before.kilobytes + 2048, "an attack left \(after.kilobytes - before.kilobytes) kB")
        #expect(process.end().exitCode == 0)
    }
}
