import CKernel
import Glibc

/// The clock of the calendar: for names and metadata only, never for durations.
public enum WallClock {
    /// Seconds since the start of 1970 (UTC).
    public static var seconds: Int { time(nil) }

    /// Whether the kernel holds the clock for right: a time service disciplines it, or it was set by one since boot
    /// (`adjtimex(2)`, STA_UNSYNC); and not a date before this program existed.
    public static var isSynchronised: Bool {
        let january2026: time_t = 1_767_225_600
        guard seconds >= january2026 else { return false }
        var state = timex()
        let answer = adjtimex(&state)
        return answer >= 0 && answer != TIME_ERROR && state.status & STA_UNSYNC == 0
    }
}
