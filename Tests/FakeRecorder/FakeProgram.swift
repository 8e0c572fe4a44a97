import Control
import Glibc
import Linux
import Media

/// A process that serves a `FakeRecorder`: `FakeRecorder (SOCKET | --activated) [--everyone] [--full]`. It says "ready"
/// on standard output when clients may come. On SIGUSR1 it prints a line "figure descriptors N" and one "figure
/// memory_kb N", and it ends on SIGTERM.
struct FakeProgram {
    private let recorder = FakeRecorder()
    private let server: RecorderServer

    init(_ arguments: [String]) throws(Failure) {
        let isOpen = arguments.contains("--everyone")
        let nobody = Group(name: "kinebox", number: gid_t.max - 1)
        server = try RecorderServer(
            recorder, access: Access(recorders: [nobody], lookers: isOpen ? .everyone : .members([nobody])),
            identity: ServerIdentity(version: "0.0", url: ""))
        recorder.isTalkative = arguments.contains("--full")
        recorder.clips = (1...250).map { FakeRecorder.fullClip(number: $0) }
        if arguments.first == "--activated" {
            let server = server
            let count = try PassedSockets.take { (socket) throws(Failure) in try server.listen(on: socket) }
            if count == 0 { throw Failure(.invalidValue, "cannot serve", because: "no socket was handed on") }
        } else {
            try server.listen(at: arguments.first ?? "", mode: isOpen ? 0o666 : 0o660)
        }
    }

    func run() throws(Errno) {
        let signals = try SignalDescriptor([SIGTERM, SIGUSR1])
        let timer = try TimerDescriptor()
        let epoll = try Epoll()
        try epoll.add(signals.raw, for: .readable, token: 0)
        try epoll.add(timer.raw, for: .readable, token: 1)
        try epoll.add(server.raw, for: .readable, token: 2)
        try timer.arm(at: .now, interval: 50_000_000)
        print("ready")
        fflush(nil)
        while true {
            var isTime = false
            try epoll.wait(milliseconds: nil) { token, _ in
                if token == 1 { isTime = timer.expirations() > 0 }
                if token == 2 { server.handle() }
            }
            if isTime { server.announceChange() }
            while let number = signals.next() {
                if number == SIGTERM { return }
                printFigures()
            }
        }
    }

    private func printFigures() {
        print("figure clients \(server.clientCount) clients")
        print("figure descriptors \(Self.descriptorCount) descriptors")
        print("figure memory_kb \(Self.residentKilobytes) kB")
        fflush(nil)
    }

    private static var descriptorCount: Int {
        guard let folder = opendir("/proc/self/fd") else { return 0 }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        return count
    }

    /// Memory that is the process's own (`proc(5)`, statm: resident less shared).
    private static var residentKilobytes: Int {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        guard fgets(&line, Int32(line.count), file) != nil else { return 0 }
        let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        return numbers.count > 2 ? (numbers[1] - numbers[2]) * Int(sysconf(Int32(_SC_PAGESIZE))) / 1024 : 0
    }
}
