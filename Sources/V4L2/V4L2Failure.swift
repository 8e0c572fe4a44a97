import Glibc
import Linux
import Media

/// What a failed request to a video device means to a person.
public enum V4L2Failure {
    /// A device that cannot be opened.
    public static func opening(_ path: String, _ reason: Errno) -> Failure {
        failure("cannot open \(path)", reason)
    }

    /// A request that an open device refused.
    /// - Parameter doing: what was to be done: "start", "set the format of".
    public static func using(_ device: V4L2Device, _ doing: String, _ reason: Errno) -> Failure {
        failure("cannot \(doing) \(device.name)", reason)
    }

    private static func failure(_ thing: String, _ reason: Errno) -> Failure {
        switch reason.code {
        case EBUSY:
            Failure(
                .noSource, thing, because: "another program is using it",
                mend: "Close that program, or choose another source with --video.")
        case EACCES, EPERM:
            Failure(
                .noSource, thing, because: "this user is not allowed to",
                mend: "Add the user to the group video (sudo usermod -aG video USER) and log in again.")
        case ENOENT:
            Failure(
                .noSource, thing, because: "there is no such device",
                mend: "kinebox devices lists those that there are.")
        case ENODEV, ENXIO:
            Failure(.noSource, thing, because: "it has been unplugged", mend: "Plug it in again.")
        case ENOLINK:
            Failure(.noSignal, thing, because: "no signal comes in", mend: "Check the cable and the source's output.")
        case ENOLCK:
            Failure(.noSignal, thing, because: "the signal that comes in is not stable", mend: "Check the cable.")
        case ENOSPC:
            Failure(
                .noSource, thing, because: "the USB bus has no bandwidth left",
                mend: "Use another USB port, a smaller --size or a lower --rate.")
        case ENOMEM:
            Failure(
                .noSource, thing, because: "there is no memory left for its buffers", mend: "Choose a smaller --size.")
        default:
            Failure(.noSource, thing, because: "\(reason)")
        }
    }
}
