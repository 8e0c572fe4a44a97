import Encoding
import Glibc
import Judges
import Linux
import Media
import Testing

/// Counts what is allocated while encoders work. The C library writes down each allocation (`mtrace(3)`), of all threads; so
/// the counted work runs alone in a process of its own: this test program once more, with one test.
@Suite("Encoders in their steady state")
struct SteadyStateTests {
    private static let isChild = getenv("KINEBOX_COUNTED") != nil
    /// An allocation of this size marks that the trace was on.
    private static let mark = 0x7731

    @Test("allocate nothing per frame", .enabled(if: !isChild), arguments: ["video1", "video2", "audio"])
    func nothing(work: String) throws {
        let folder = try TemporaryFolder()
        let trace = folder.file("trace")
        let ending = try ChildProcess(
            "/proc/self/exe",
            ["--testing-library", "swift-testing", "--filter", "SteadyStateTests/counted"],
            environment: [
                "KINEBOX_COUNTED=\(work)", "MALLOC_TRACE=\(trace)", "LD_PRELOAD=libc_malloc_debug.so.0",
            ]
        ).wait(atMost: 300)
        try #require(ending.exitCode == 0, "\(ending)")
        let file = try FileDescriptor.open(trace, O_RDONLY)
        var bytes = [UInt8](repeating: 0, count: Int(try file.status().st_size))
        _ = try bytes.withUnsafeMutableBytes { try file.read(into: $0, at: 0) }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        let allocations = lines.filter { $0.contains("] + 0x") || $0.contains("] > 0x") }
        #expect(allocations.count == 1, "\(allocations.prefix(20).joined(separator: "\n"))")
        #expect(allocations.first?.hasSuffix(" 0x\(String(Self.mark, radix: 16))") == true)
    }

    @Test("work that is counted", .enabled(if: isChild))
    func counted() throws {
        let work = getenv("KINEBOX_COUNTED").map { String(cString: $0) }
        switch work {
        case "video1": try encodeVideo(threads: 1)
        case "video2": try encodeVideo(threads: 2)
        default: try encodeAudio()
        }
    }

    /// Has the C library write down allocations, and no longer.
    private struct Trace {
        private typealias Function = @convention(c) () -> Void
        private let first: Function
        private let last: Function

        /// Looks the functions up, so that nothing is allocated between beginning and end.
        init() throws {
            first = try Self.function("mtrace")
            last = try Self.function("muntrace")
        }

        func begin() {
            first()
            free(malloc(SteadyStateTests.mark))
        }

        func end() { last() }

        /// The library has these under their first version only, which a plain `dlsym` passes over.
        private static func function(_ name: String) throws -> Function {
            typealias Search =
                @convention(c) (
                    UnsafeMutableRawPointer?, UnsafePointer<CChar>, UnsafePointer<CChar>
                ) -> UnsafeMutableRawPointer?
            #if arch(arm64)
                let version = "GLIBC_2.17"
            #else
                let version = "GLIBC_2.2.5"
            #endif
            let library = try #require(dlopen("libc_malloc_debug.so.0", RTLD_NOW | RTLD_NOLOAD))
            let search = unsafeBitCast(try #require(dlsym(nil, "dlvsym")), to: Search.self)
            return unsafeBitCast(try #require(search(library, name, version)), to: Function.self)
        }
    }

    private func encodeVideo(threads: Int) throws {
        let trace = try Trace()
        let format = SoftwareEncoderTests.format(640, 360)
        let configuration = SoftwareEncoderTests.configuration(format, threads: threads)
        let encoder = try SoftwareEncoder(configuration)
        let pictures = TestPictures(format, noise: 16)
        var free = (0..<4).map { VideoFrame(index: $0, width: 640, height: 360, pixelFormat: .nv12) }
        for frame in free { pictures.draw(3 * frame.index, into: frame) }
        var taken = 0
        var next: Int64 = 0
        // Two key frames pass before, so that every buffer has met its largest picture, and two while it is counted.
        for end in [125, 250] {
            if end == 250 { trace.begin() }
            while taken < end {
                if taken + 4 - free.count < end, let frame = free.popLast() {
                    frame.time = MonotonicTime(nanoseconds: format.rate.nanoseconds(of: next))
                    next += 1
                    _ = try encoder.submit(frame, forcingKeyFrame: false)
                } else {
                    var entry = pollfd(fd: encoder.descriptor, events: Int16(POLLIN), revents: 0)
                    poll(&entry, 1, 60_000)
                }
                while let packet = try encoder.nextPacket() {
                    taken += 1
                    encoder.recycle(packet)
                }
                while let frame = encoder.nextReleasedFrame() { free.append(frame) }
                if encoder.nextNotice() != nil { taken = -1_000_000 }
            }
        }
        trace.end()
    }

    private func encodeAudio() throws {
        let trace = try Trace()
        let encoder = try AudioEncoder(format: .standard)
        let samples = (0..<960).map { Int16(truncatingIfNeeded: $0 &* 7919) / 4 }
        var bytes = 0
        try samples.withUnsafeBufferPointer { samples in
            for round in 0..<400 {
                if round == 50 { trace.begin() }
                try encoder.encode(samples: samples) { bytes += $0.count }
            }
        }
        trace.end()
        #expect(bytes > 0)
    }
}
