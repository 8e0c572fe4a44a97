import Glibc
import Judges
import Linux
import Media

/// A program that records a stream from its standard input, and what one recording cost it.
struct Contestant {
    /// What a person calls it.
    let name: String
    /// The program.
    let program: String
    /// Its arguments; the last one is the file.
    let arguments: [String]

    /// The cost of one recording.
    struct Cost {
        /// CPU time of the program, user and system, in seconds.
        var userSeconds: Double
        var systemSeconds: Double
        /// The most memory that was the program's own and changed (Private_Dirty), in kB.
        var dirtyKilobytes: Int64
        /// The most memory that was in use at all (VmHWM), in kB.
        var residentKilobytes: Int64
        /// Pictures in the file.
        var pictures: Int64
        /// The file's size in bytes.
        var bytes: Int64

        var processorSeconds: Double { userSeconds + systemSeconds }
    }

    /// The command as a person would type it.
    var command: String { ([program] + arguments).joined(separator: " ") }

    /// Records a stream once; the file is removed afterwards.
    /// - Parameter source: the path of a YUV4MPEG2 file, which comes through a pipe.
    /// - Throws: `Errno`, or `Failure` of kind internalFault where the program failed.
    func record(_ source: String) throws -> Cost {
        let file = arguments.last ?? ""
        unlink(file)
        defer { unlink(file) }
        let feed = try PipeFeed { pipe, progress in
            try? Self.pour(source, into: pipe, progress)
        }
        let process = try ChildProcess(program, arguments, input: feed.input)
        var (dirty, resident): (Int64, Int64) = (0, 0)
        while process.isRunning {
            dirty = max(
                dirty, ProcessMemory.kilobytes("Private_Dirty:", in: "/proc/\(process.identifier)/smaps_rollup"))
            // The kernel's account at the end of a process begins with that of the process which started it.
            resident = max(resident, ProcessMemory.kilobytes("VmHWM:", in: "/proc/\(process.identifier)/status"))
            usleep(20_000)
        }
        let ending = process.wait()
        guard ending.exitCode == 0 else {
            throw Failure(.internalFault, "cannot measure \(name)", because: "it failed: \(ending)")
        }
        let pictures = try Judge.ffprobe.verdict(on: file, audioTracks: 0).pictures
        let size = try FileDescriptor.open(file, O_RDONLY).status().st_size
        return Cost(
            userSeconds: ending.userSeconds, systemSeconds: ending.systemSeconds, dirtyKilobytes: dirty,
            residentKilobytes: resident, pictures: Int64(pictures ?? 0), bytes: Int64(size))
    }

    private static func pour(_ source: String, into pipe: Int32, _ progress: PipeFeed.Progress) throws {
        let file = try FileDescriptor.open(source, O_RDONLY)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4096)
        defer { buffer.deallocate() }
        while !progress.isEnding.load(ordering: .acquiring) {
            let count = try file.read(into: buffer)
            guard count > 0 else { return }
            var done = 0
            while done < count {
                let written = write(pipe, buffer.baseAddress.map { $0 + done }, count - done)
                guard written > 0 else { return }
                done += written
            }
        }
    }
}
