import FakeRecorder
import Glibc
import Judges
import Linux
import Testing

@testable import Control

/// What goes into one end of the bridge comes out of the other, byte for byte, and it ends when either side does.
@Suite struct BridgeTests {
    /// A bridge on a thread of its own, with its ends in our hands.
    private struct Span: ~Copyable {
        var input: FileDescriptor?
        var output: FileDescriptor?
        var thread: JoinableThread

        init(to socket: String) throws {
            let (readInput, writeInput) = try Self.pipe()
            let (readOutput, writeOutput) = try Self.pipe()
            thread = JoinableThread(
                try Thread("bridge") {
                    defer {
                        close(readInput)
                        close(writeOutput)
                    }
                    do {
                        let bridge = try Bridge(from: readInput, to: writeOutput, socketAt: socket)
                        bridge.run()
                    } catch {
                        Issue.record("\(error)")
                    }
                })
            input = FileDescriptor(owning: writeInput)
            output = FileDescriptor(owning: readOutput)
        }

        private static func pipe() throws -> (Int32, Int32) {
            var ends: [Int32] = [0, 0]
            guard Glibc.pipe(&ends) == 0 else { throw Errno.last }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            return (ends[0], ends[1])
        }

        func write(_ bytes: [UInt8]) throws {
            var rest = bytes[...]
            while !rest.isEmpty { rest = rest.dropFirst(try rest.withUnsafeBytes { try input?.write($0) ?? 0 }) }
        }

        /// Reads up to the next NUL, or to the end.
        func readMessage() throws -> [UInt8] {
            var bytes: [UInt8] = []
            var byte: UInt8 = 0
            while try withUnsafeMutableBytes(of: &byte, { try output?.read(into: $0) ?? 0 }) == 1 {
                bytes.append(byte)
                if byte == 0 { break }
            }
            return bytes
        }
    }

    /// Listens at a path, and sends the first client all that comes back, until its end.
    private static let echo = """
        import os, socket, sys
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(sys.argv[1] + ".new")
        listener.listen()
        os.rename(sys.argv[1] + ".new", sys.argv[1])
        client = listener.accept()[0]
        while data := client.recv(3000):
            client.sendall(data)
        """

    init() {
        // A bridge writes where nobody may read any more; the program ignores the signal of that, as is usual.
        signal(SIGPIPE, SIG_IGN)
    }

    @Test func everyByteComesBackAsItWas() throws {
        let folder = try TemporaryFolder()
        let echo = try ChildProcess("/usr/bin/python3", ["-c", Self.echo, folder.file("echo")])
        while access(folder.file("echo"), F_OK) != 0 && echo.isRunning { usleep(1000) }
        var span = try Span(to: folder.file("echo"))
        var random = Xorshift(state: 88_172_645_463_325_252)
        for size in [1, 4095, 4096, 4097, 30_000] {
            let bytes = (0..<size).map { _ in UInt8(1 + random.below(255)) } + [0]
            try span.write(bytes)
            #expect(try span.readMessage() == bytes)
        }
        span.input = nil
        #expect(try span.readMessage().isEmpty, "where the input ends the other side learns it, and ends")
        span.thread.join()
        #expect(echo.wait().exitCode == 0)
    }

    @Test func theRecorderIsSpokenWithAndWhatWasAskedLastIsAnswered() throws {
        let process = try FakeProcess()
        var span = try Span(to: process.socket)
        for _ in 0..<50 {
            try span.write(Array(#"{"method":"io.kinebox.Recorder.GetStatus"}"#.utf8) + [0])
            #expect(try JSON.decode(JSONValue.self, span.readMessage().dropLast())["error"] == .null)
        }
        try span.write(Array(#"{"method":"io.kinebox.Recorder.Snapshot"}"#.utf8) + [0])
        span.input = nil
        let reply = try JSON.decode(JSONValue.self, span.readMessage().dropLast())
        #expect(reply["parameters"]["path"].text == "/media/kinebox/STICK/still.jpg")
        span.thread.join()
        #expect(try process.isLeftAlone())
    }

    @Test func aFollowerThatHangsUpEndsTheBridge() throws {
        let process = try FakeProcess()
        for endsInput in [true, false] {
            var span = try Span(to: process.socket)
            try span.write(Array(#"{"method":"io.kinebox.Recorder.Subscribe","more":true}"#.utf8) + [0])
            #expect(try span.readMessage().count > 100)
            if endsInput { span.input = nil } else { span.output = nil }
            span.thread.join()
        }
        #expect(try process.isLeftAlone())
    }

    @Test func aRecorderThatEndsEndsTheBridge() throws {
        let process = try FakeProcess()
        var span = try Span(to: process.socket)
        try span.write(Array(#"{"method":"io.kinebox.Recorder.GetStatus"}"#.utf8) + [0])
        #expect(try !span.readMessage().isEmpty)
        #expect(process.end().exitCode == 0)
        #expect(try span.readMessage().isEmpty)
        span.thread.join()
    }
}
