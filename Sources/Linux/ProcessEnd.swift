import CKernel
import Glibc

/// The end of the program.
public enum ProcessEnd {
    /// Ends the program although a driver hangs. The kernel closes a process's devices before anybody learns that it has
    /// ended, and closing waits for the driver; it does not where the process is killed. So another process inherits the
    /// devices, which is killed when this one ends.
    /// - Parameter code: the exit code.
    public static func leaveDevices(code: Int32) -> Never {
        _ = ckernel_leave_heir()
        exit(code)
    }
}
