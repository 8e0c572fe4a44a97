import FakeRecorder
import Glibc
import Judges
import Linux
import Media
import Testing

@testable import Control

/// The socket is there when the server is, with the permissions that were wanted, and goes with it.
@Suite struct SocketTests {
    private let folder: TemporaryFolder
    private var path: String { folder.file("socket") }

    init() throws {
        folder = try TemporaryFolder()
    }

    private func mode(of path: String) -> mode_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
    }

    @Test func aSocketOfItsOwnIsServedAndRemoved() throws {
        do {
            let rig = try Rig()
            try rig.server.listen(at: path)
            #expect(mode(of: path) == 0o660)
            #expect(folder.names == ["socket"], "nothing else is left beside it")
            let client = RigClient(try UnixSocket(connectingTo: path))
            rig.settle()
            #expect(try rig.call(client, "GetStatus")["error"] == .null)
            #expect(rig.recorder.calls.isEmpty)
        }
        #expect(folder.names.isEmpty)
    }

    @Test func theSocketGetsItsGroup() throws {
        let rig = try Rig()
        let own = Group(name: "own", number: getegid())
        try rig.server.listen(at: path, mode: 0o600, group: own)
        var status = stat()
        #expect(lstat(path, &status) == 0 && status.st_gid == getegid())
        #expect(mode(of: path) == 0o600)
    }

    @Test func whatADeadServerLeftIsReplacedAndALivingOneIsNot() throws {
        let dead = try #require(socketThatRests(boundTo: path))
        close(dead)
        let rig = try Rig()
        try rig.server.listen(at: path)
        let second = try Rig()
        do throws(Failure) {
            try second.server.listen(at: path)
            Issue.record("two servers listen at one path")
        } catch {
            #expect(error.kind == .busy && error.description.contains(path))
        }
        let client = RigClient(try UnixSocket(connectingTo: path))
        rig.settle()
        #expect(try rig.call(client, "GetStatus")["error"] == .null)
    }

    @Test func aSocketThatAnotherHasPutThereIsLeft() throws {
        do {
            let rig = try Rig()
            try rig.server.listen(at: path)
            unlink(path)
            let other = try #require(socketThatRests(boundTo: path))
            close(other)
        }
        #expect(folder.names == ["socket"])
    }

    @Test(arguments: [
        ("/nowhere/at/all/socket", FailureKind.invalidValue),
        ("/tmp/" + String(repeating: "x", count: 120), .invalidValue), ("/proc/socket", .invalidValue),
    ])
    func aPathThatCannotBeIsNamed(_ path: String, _ kind: FailureKind) throws {
        let rig = try Rig()
        do throws(Failure) {
            try rig.server.listen(at: path)
            Issue.record("a socket was made at \(path)")
        } catch {
            #expect(error.kind == kind && error.thing.contains(path), "\(error)")
        }
    }

    @Test func socketsThatAreHandedOnAreServedAndNotInherited() throws {
        let program = """
            import os, socket, subprocess, sys
            listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            listener.bind(sys.argv[2])
            listener.listen()
            os.dup2(listener.fileno(), 3, inheritable=True)
            script = 'LISTEN_PID=$$ LISTEN_FDS=1 LISTEN_FDNAMES=varlink exec "$0" --activated'
            process = subprocess.Popen(["sh", "-c", script, sys.argv[1]], stdout=subprocess.PIPE, pass_fds=[3])
            print(process.stdout.readline().decode().strip())
            client = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            client.connect(sys.argv[2])
            client.sendall(b'{"method":"io.kinebox.Recorder.GetStatus"}\\0')
            print(client.recv(65536).decode().rstrip("\\0"))
            print(os.path.exists("/proc/%d/fd/3" % process.pid) and "socket" in os.readlink("/proc/%d/fd/3" % process.pid))
            process.terminate()
            print(process.wait())
            """
        let ending = try ChildProcess("/usr/bin/python3", ["-c", program, FakeProcess.program, path]).wait()
        let lines = ending.text.split(separator: "\n").map(String.init)
        try #require(lines.count == 4, "\(ending)")
        #expect(lines[0] == "ready")
        #expect(lines[1].contains(#""state":"idle""#))
        #expect(lines[2] == "False", "what systemd handed on is closed, only a copy that is not inherited is kept")
        #expect(lines[3] == "0")
        #expect(folder.names == ["socket"], "a socket that is systemd's is left to it")
    }

    @Test func aDescriptorThatIsNoListenerIsRefused() throws {
        let file = try FileDescriptor.open("/dev/null", O_RDWR)
        do throws(Errno) {
            _ = try UnixListener(owning: file).raw
            Issue.record("/dev/null listens")
        } catch {
            #expect(error.code == EINVAL)
        }
    }
}

/// A socket that is bound to a path and does not listen.
private func socketThatRests(boundTo path: String) -> Int32? {
    let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { room in
        for (index, byte) in path.utf8.enumerated() where index < room.count - 1 { room[index] = byte }
    }
    let result = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
    }
    return result == 0 ? socket : nil
}
