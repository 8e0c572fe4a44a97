import FakeRecorder
import Glibc
import Judges
import Linux
import Media
import Testing

@testable import Control

/// Our own client, over a real socket, to another process; and the bridge that carries it further.
@Suite struct ClientTests {
    @Test func aRecordingIsMadeAndFollowed() throws {
        let process = try FakeProcess(["--full"])
        let client = try RecorderClient(.socket(process.socket))
        #expect(try client.info().interfaces == InterfaceDescription.names)
        let metadata = RecorderAPI.Metadata(title: "Anatomy")
        let started = try client.call(RecorderAPI.Start.self, .init(name: "talk", metadata: metadata, duration: 5))
        #expect(started.state == .recording && started.path == started.clip?.path)
        #expect(try client.call(RecorderAPI.GetStatus.self).status.signal.rate == "60000/1001")
        var seen: [RecorderAPI.State] = []
        try RecorderClient(.socket(process.socket)).follow { reply in
            seen.append(reply.status.state)
            return seen.count < 3
        }
        #expect(seen == [.recording, .recording, .recording])
        let stopped = try client.call(RecorderAPI.Stop.self)
        #expect(stopped.frames.captured == 31 && stopped.firstFrame == 1_000_000_000)
        #expect(process.end().exitCode == 0)
    }

    @Test func aRefusalComesAsTheFailureThatItIs() throws {
        let process = try FakeProcess()
        let client = try RecorderClient(.socket(process.socket))
        do throws(Refusal) {
            _ = try client.call(RecorderAPI.Stop.self)
            Issue.record("nothing was stopped")
        } catch {
            #expect(error.failure.kind == .notRecording && error.state == .idle)
            #expect(error.failure.description == "cannot stop: nothing is being recorded.")
        }
        do throws(Refusal) {
            _ = try client.call(RecorderAPI.Start.self, .init(duration: -1))
            Issue.record("a recording of less than nothing was made")
        } catch {
            #expect(error.failure.kind == .invalidValue)
        }
        #expect(try client.call(RecorderAPI.ListMedia.self).media.map(\.name) == ["STICK"])
    }

    @Test func whereNobodyListensItIsSaidHowToStart() throws {
        let folder = try TemporaryFolder()
        do throws(Failure) {
            _ = try RecorderClient(.socket(folder.file("socket")))
            Issue.record("somebody listens where nobody does")
        } catch {
            #expect(error.description.contains("no kineboxd runs there. Start it with"))
            #expect(error.kind.exitCode == 1)
        }
    }

    @Test func aRecorderThatGoesAwayIsNoReasonToWait() throws {
        let process = try FakeProcess()
        let client = try RecorderClient(.socket(process.socket))
        #expect(process.end().exitCode == 0)
        do throws(Refusal) {
            _ = try client.call(RecorderAPI.GetStatus.self)
            Issue.record("the dead speak")
        } catch {
            #expect(error.failure.cause == "it has closed the connection")
        }
    }

    @Test func aRecorderThatHangsIsNotWaitedForWithoutEnd() throws {
        let folder = try TemporaryFolder()
        // It takes clients and says nothing.
        let listener = try UnixListener(at: folder.file("socket"), mode: 0o600)
        var connection = try ClientConnection.open(.socket(folder.file("socket")))
        let isReadable = connection.isReadable(within: 1)
        #expect(!isReadable)
        _ = try listener.accept()
        var input = MessageBuffer(limit: 100)
        let hasMore = try connection.isReadable(within: nil) && connection.receive(into: &input)
        #expect(!hasMore, "it has gone")
        let loss = connection.loss(of: .socket("x"))
        #expect(loss.kind == .internalFault)
        for method in RecorderMethod.allCases {
            let isLong = [.start, .stop, .eject, .listClips, .listDevices, .subscribe].contains(method)
            #expect((method.patience == nil) == isLong)
        }
    }

    @Test func theClientThatIsTooManyIsToldSo() throws {
        let process = try FakeProcess()
        let others = try (1...16).map { _ in try RecorderClient(.socket(process.socket)) }
        for other in others { _ = try other.info() }
        let seventeenth = try RecorderClient(.socket(process.socket))
        do throws(Refusal) {
            _ = try seventeenth.call(RecorderAPI.GetStatus.self)
            Issue.record("there is room for seventeen")
        } catch {
            #expect(error.failure.kind == .busy && error.failure.cause.contains("16 clients"))
        }
    }

    @Test(arguments: ["-oProxyCommand=touch /tmp/x", "", "a b", "-", "a\nb"])
    func whatIsNoHostIsNoOption(_ name: String) throws {
        do throws(Failure) {
            _ = try RemoteHost(name)
            Issue.record("\(name) is a host")
        } catch {
            #expect(error.kind == .invalidValue)
        }
    }

    @Test func aPathForTheOtherSideIsOneWordThere() throws {
        let host = try RemoteHost("ben@studio", socket: "/tmp/it's $(here)")
        let shell = try #require(host.arguments.last)
        let ending = try ChildProcess("sh", ["-c", "kinebox() { printf '%s\\n' \"$@\"; }; \(shell)"]).wait()
        #expect(ending.text == "bridge\n--socket\n/tmp/it's $(here)\n")
        #expect(host.arguments.dropLast().suffix(2) == ["--", "ben@studio"])
    }

    @Test(arguments: [
        (255, "ssh could not reach it"), (127, "kinebox cannot be run there"), (1, "the connection has ended"),
    ])
    func howTheWayEndedIsSaid(_ code: Int, _ cause: String) throws {
        let folder = try TemporaryFolder()
        let program = try folder.script("exit \(code)")
        let client = try RecorderClient(.host(try RemoteHost("studio", program: program)))
        do throws(Refusal) {
            _ = try client.call(RecorderAPI.GetStatus.self)
            Issue.record("nobody is there")
        } catch {
            #expect(error.failure.cause == cause && error.failure.thing.contains("studio"))
        }
    }

    @Test func aProgramThatIsNotThereIsNamed() throws {
        do throws(Failure) {
            _ = try RecorderClient(.host(try RemoteHost("studio", program: "/nowhere/ssh")))
            Issue.record("what is not there runs")
        } catch {
            #expect(error.description.contains("/nowhere/ssh cannot be run"))
        }
    }
}
