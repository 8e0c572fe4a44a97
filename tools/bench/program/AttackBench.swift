import Glibc
import Judges
import Linux
import Media

/// `kinebox-bench attack`, on the virtual board: what an attack on the socket of a recorder that records costs. It is a
/// release build of the daemon, with a stick, without systemd.
enum AttackBench {
    static func run(_ arguments: [String]) throws {
        let options = try BenchOptions(arguments, numbers: ["seconds"])
        let seconds = options.number("seconds", quick: 10, full: 60)
        let box = try AttackedBox()
        let quiet = try (0..<200).compactMap { _ in try box.answerTime() }
        let attack = SocketAttack(box.socket, seed: 0xA77AC4, isHarmless: true, crowd: 12)
        // What the allocator keeps at hand is taken in the first seconds.
        attack.run(steps: 5000)
        let before = (box.dirtyKilobytes, box.descriptors, try box.frames())
        var (answers, busy): ([Double], Int) = ([], 0)
        let end = MonotonicTime.now + Int64(seconds) * 1_000_000_000
        while MonotonicTime.now < end {
            attack.run(steps: 50)
            if let time = try box.answerTime() { answers.append(time) } else { busy += 1 }
        }
        attack.leave()
        usleep(500_000)
        let after = (box.dirtyKilobytes, box.descriptors, try box.frames())
        try box.end()
        var report = Report(
            "\(seconds) s of attack on the socket of a recorder that records 320x240 at 10",
            columns: ["", "median ms", "most ms", "answers"])
        for (name, times) in [("asked in peace", quiet), ("asked under attack", answers)] {
            report.row(
                [name] + [median(times), times.max()].map { decimal($0 ?? 0, places: 2) } + ["\(times.count)"])
        }
        report.note(
            "\(attack.clients) clients came, \(attack.bytes / 1000) kB were taken from them, \(attack.answered / 1000) kB "
                + "went back; \(busy) times the one who asked was told that all places are taken.")
        report.figure("clients", Int64(attack.clients), "clients")
        report.figure("frames", Int64(after.2.encoded - before.2.encoded), "frames")
        report.figure("dropped_frames", Int64(after.2.dropped - before.2.dropped), "frames")
        report.figure("memory_growth_kb", after.0 - before.0, "kB")
        report.figure("descriptors_growth", Int64(after.1 - before.1), "descriptors")
        report.figure("quiet_ms_median", median(quiet) ?? 0, "ms")
        report.figure("attacked_ms_median", median(answers) ?? 0, "ms")
        report.figure("attacked_ms_max", answers.max() ?? 0, "ms")
        print(report.text(json: options.isJSON))
    }
}

/// A daemon that records onto the board's stick.
private final class AttackedBox {
    private let folder: TemporaryFolder
    private let daemon: ChildProcess
    var socket: String { folder.file("socket") }

    init() throws {
        folder = try TemporaryFolder()
        let text = """
            [Recording]\\nVideo=test\\nAudio=tone\\nSize=320x240\\nRate=10\\nEncoder=software\\n
            [Panel]\\nRecordButton=none\\nRecordLight=none\\n[Control]\\nSocket=\(folder.file("socket"))\\n
            """
        let write = "printf '\(text)' >\"$0/k.conf\"; ln -s \"$1\" \"$0/kineboxd\""
        try BoardDevices.run("bash", ["-c", write, folder.path, Kinebox.path])
        daemon = try ChildProcess(folder.file("kineboxd"), ["--config", folder.file("k.conf")])
        try BoardDevices.run("boardctl", ["stick", "in", "exfat"])
        try BoardDevices.run(
            "bash", ["-c", "\"$0\" medium prepare \"$(readlink -f /dev/board/stick)\"", Kinebox.path])
        try wait("the stick was ready") { try ask("media").text.contains("ready, chosen") }
        try BoardDevices.run(Kinebox.path, ["start", "attacked", "--socket", socket])
        try wait("the recording ran") { try frames().encoded > 20 }
    }

    /// Milliseconds until a question is answered, from the connection on; nil where all places are taken.
    func answerTime() throws -> Double? {
        let begun = MonotonicTime.now
        let client = try UnixSocket(connectingTo: socket)
        let call = Array(#"{"method":"io.kinebox.Recorder.GetStatus"}"#.utf8) + [0]
        // Who is turned away cannot send.
        _ = try? call.withUnsafeBytes { try client.sendAll($0) }
        var reply: [UInt8] = []
        var scratch = [UInt8](repeating: 0, count: 65_536)
        while reply.last != 0 {
            let count = try scratch.withUnsafeMutableBytes { try client.receiveWaiting(into: $0) }
            if count == 0 { return nil }
            reply += scratch.prefix(count)
        }
        let isAnswer = String(decoding: reply, as: UTF8.self).contains("\"status\"")
        return isAnswer ? Double(MonotonicTime.now - begun) / 1e6 : nil
    }

    /// Pictures in the recording, and those that are not.
    func frames() throws -> (encoded: Int, dropped: Int) {
        let text = try ask("status", "--json").text
        func number(_ name: String) -> Int {
            let line = text.split(separator: "\n").first { $0.contains("\"\(name)\" :") }
            return Int(line?.filter(\.isNumber) ?? "") ?? 0
        }
        return (number("encoded"), number("dropped"))
    }

    var dirtyKilobytes: Int64 { ProcessMemory.ownDirtyKilobytes(of: daemon.identifier) }

    var descriptors: Int { SystemDirectory.entries("/proc/\(daemon.identifier)/fd").count }

    /// Stops, and makes sure that the file is whole.
    func end() throws {
        try BoardDevices.run(Kinebox.path, ["stop", "--socket", socket])
        try BoardDevices.run("bash", ["-c", "\"$0\" check /media/kinebox/*/attacked.mp4", Kinebox.path])
        daemon.send(SIGTERM)
        let ending = daemon.wait(atMost: 60)
        guard ending.exitCode == 0 else {
            throw Failure(.internalFault, "cannot measure an attack", because: "the daemon failed: \(ending)")
        }
    }

    private func ask(_ words: String...) throws -> Ending {
        try ChildProcess(Kinebox.path, words + ["--socket", socket]).wait()
    }

    private func wait(_ what: String, until isSo: () throws -> Bool) throws {
        let limit = MonotonicTime.now + 60_000_000_000
        while try !isSo() {
            guard MonotonicTime.now < limit, daemon.isRunning else {
                throw Failure(
                    .internalFault, "cannot measure an attack",
                    because: "60 s passed, or the daemon ended, before \(what)")
            }
            usleep(100_000)
        }
    }
}
