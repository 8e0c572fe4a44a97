import Glibc
import Linux

/// What all parts of one recording have in common, and what tells them from any other recording: written at the start of
/// each part, its identifier in every fragment.
public struct Session: Hashable, Sendable {
    /// Random bytes, new for each recording.
    public let identifier: Identifier
    /// The kernel's name for this boot of the machine; zero where it gives none.
    public let boot: Identifier
    /// The wall clock when the session began, in nanoseconds since the start of 1970 (UTC).
    public let wallClock: Int64
    /// Whether a time service held the wall clock in step.
    public let isClockSynchronised: Bool
    /// CLOCK_MONOTONIC at the same moment, in nanoseconds.
    public let monotonicClock: Int64

    /// A new session that begins now.
    public init() {
        self.init(
            identifier: Self.randomIdentifier(), boot: Self.bootIdentifier(), wallClock: Self.wallClockNow(),
            isClockSynchronised: WallClock.isSynchronised, monotonicClock: MonotonicTime.now.nanoseconds)
    }

    init(
        identifier: Identifier, boot: Identifier, wallClock: Int64, isClockSynchronised: Bool, monotonicClock: Int64
    ) {
        self.identifier = identifier
        self.boot = boot
        self.wallClock = wallClock
        self.isClockSynchronised = isClockSynchronised
        self.monotonicClock = monotonicClock
    }

    /// Seconds since the start of 1904 (ISO/IEC 14496-12, 8.2.2), 0 when the wall clock is not to be trusted.
    var creationTime: UInt64 {
        guard isClockSynchronised, wallClock > 0 else { return 0 }
        return UInt64(wallClock / 1_000_000_000) + 2_082_844_800
    }

    private static func wallClockNow() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    private static func randomIdentifier() -> Identifier {
        // The generator of the standard library is the kernel's (`getrandom(2)`).
        Identifier(high: .random(in: .min ... .max), low: .random(in: .min ... .max))
    }

    private static func bootIdentifier() -> Identifier {
        var bytes: (UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0)
        var numbers: (UInt64, UInt64) = (0, 0)
        withUnsafeMutableBytes(of: &bytes) { buffer in
            guard let file = try? FileDescriptor.open("/proc/sys/kernel/random/boot_id", O_RDONLY) else { return }
            guard let count = try? file.read(into: buffer) else { return }
            for byte in buffer.prefix(count) {
                guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { continue }
                numbers.0 = numbers.0 << 4 | numbers.1 >> 60
                numbers.1 = numbers.1 << 4 | UInt64(digit)
            }
        }
        return Identifier(high: numbers.0, low: numbers.1)
    }
}
