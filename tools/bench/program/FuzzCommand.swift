import Glibc
import Judges
import Linux
import MP4
import Media

/// Feeds hostile files to everything that reads files: the checker, the reader and recovery. A crash or a hang ends the
/// program by a signal; more memory than is allowed is refused by the kernel, which ends it too.
enum FuzzCommand {
    /// The most memory that the process may have, in bytes.
    static let mostMemory: UInt64 = 64 << 20
    /// CPU seconds that one file may take.
    static let mostSeconds = 20

    /// - Parameter arguments: `--seconds N` or `--count N`, `--first N` for the number of the first file, then good files.
    static func run(_ arguments: [String]) throws(Failure) {
        let split = arguments.firstIndex { $0.hasSuffix(".mp4") } ?? arguments.count
        let options = try BenchOptions(Array(arguments[..<split]), numbers: ["seconds", "count", "first"])
        let seconds = options.number("seconds", quick: 5, full: 60)
        let first = UInt64(options.number("first", quick: 1, full: 1))
        let count = UInt64(options.number("count", quick: Int(Int32.max), full: Int(Int32.max)))
        let files = try arguments[split...].map { (path) throws(Failure) in HostileFile(of: try Self.bytes(of: path)) }
        guard !files.isEmpty else {
            throw Failure(
                .invalidValue, "cannot fuzz", because: "no good file is named", mend: "Name one or more MP4s.")
        }
        limitMemory()
        let folder = try makeFolder()
        let end = MonotonicTime.now + Int64(seconds) * 1_000_000_000
        var number = first
        while number - first < count, MonotonicTime.now < end {
            // After a crash the file is still there, and its name says its number.
            let path = "\(folder)/hostile-\(number).mp4"
            let bytes = files[Int(number % UInt64(files.count))].bytes(number: number)
            try write(bytes, to: path)
            limitTime()
            read(path)
            unlink(path)
            number += 1
        }
        rmdir(folder)
        print("figure files \(number - first) files")
        print("figure memory_mb \(peakMemory()) MB")
    }

    /// Everything that reads files. What they say is no matter here: that they say something is.
    private static func read(_ path: String) {
        _ = try? Checker.check(path: path)
        if let reader = try? MovieReader(path: path) {
            var buffer = [UInt8](repeating: 0, count: 1 << 20)
            for track in reader.tracks.indices {
                guard var samples = try? reader.samples(ofTrack: track) else { continue }
                while let sample = try? samples.next() {
                    guard sample.index % 16 == 0 else { continue }
                    _ = buffer.withUnsafeMutableBytes { try? reader.read(sample, into: $0) }
                }
            }
        }
        _ = try? Recovery.recover(path: path, isThorough: true)
        // What recovery made of it is a file like any other.
        _ = try? Checker.check(path: path)
    }

    private static func limitMemory() {
        var limit = rlimit(rlim_cur: rlim_t(mostMemory), rlim_max: rlim_t(mostMemory))
        // All private memory that can be written, whether it is used or not.
        setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit)
    }

    private static func limitTime() {
        // CPU time, so that a busy machine does not look like a hang; SIGPROF ends the program.
        var timer = itimerval()
        timer.it_value.tv_sec = mostSeconds
        setitimer(__itimer_which_t(ITIMER_PROF.rawValue), &timer, nil)
    }

    /// The peak of the resident set, in MB. What `getrusage(2)` says begins with the process that started this one.
    private static func peakMemory() -> Int {
        Int(ProcessMemory.kilobytes("VmHWM:", in: "/proc/self/status") + 1023) / 1024
    }

    private static func makeFolder() throws(Failure) -> String {
        let parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        var template = Array("\(parent)/kinebox-fuzz-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw Failure(.mediumFailed, "cannot make a folder in \(parent)", because: Errno.last.description)
        }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func bytes(of path: String) throws(Failure) -> [UInt8] {
        do {
            let file = try FileDescriptor.open(path, O_RDONLY)
            var bytes = [UInt8](repeating: 0, count: Int(try file.status().st_size))
            let count = try bytes.withUnsafeMutableBytes { try file.read(into: $0, at: 0) }
            return Array(bytes[..<count])
        } catch {
            throw Failure(.notARecording, "cannot read \(path)", because: "\(error)")
        }
    }

    private static func write(_ bytes: [UInt8], to path: String) throws(Failure) {
        do {
            let file = try FileDescriptor.open(path, O_WRONLY | O_CREAT | O_TRUNC)
            try bytes.withUnsafeBytes { try file.write($0, at: 0) }
        } catch {
            throw Failure(.mediumFailed, "cannot write \(path)", because: "\(error)")
        }
    }
}
