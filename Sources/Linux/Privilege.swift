import CKernel

/// What the kernel lets this process do beyond its user's rights (`capabilities(7)`).
public enum Privilege {
    /// Gives up all but CAP_SYS_ADMIN, for ever, and for all programs that are started. To be called before other threads
    /// start.
    /// - Throws: `Errno` EPERM where the process has not that one; nothing is given up then.
    public static func keepSystemAdministrationAlone() throws(Errno) {
        _ = try Errno.check(ckernel_keep_capability(CKERNEL_CAP_SYS_ADMIN))
    }
}
