import CKernel
import Glibc

/// Standard input, output and error (0, 1 and 2), which a program may be started without.
public enum StandardDescriptors {
    /// Opens `/dev/null` for each of the three that is closed. Without this the next file that is opened gets its number,
    /// and a message would be written into a recording. To be called before anything else is opened.
    public static func fill() {
        for number in 0...2 as ClosedRange<Int32> where fcntl(number, F_GETFD) < 0 {
            // The lowest number that is free is given, which is this one. Without /dev/null it stays as it was.
            _ = ckernel_open("/dev/null", O_RDWR, 0)
        }
    }
}
