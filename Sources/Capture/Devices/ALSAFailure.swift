import CALSA
import Glibc
import Media

/// What a failed call of the sound library means to a person.
enum ALSAFailure {
    /// - Parameters:
    ///   - name: the device's name.
    ///   - doing: what was to be done: "open", "record from".
    ///   - code: the library's answer, a negative error number.
    static func using(_ name: String, _ doing: String, _ code: Int32) -> Failure {
        let thing = "cannot \(doing) the sound device \(name)"
        switch -code {
        case EBUSY:
            return Failure(
                .noSource, thing, because: "another program is using it",
                mend: "Close that program, or choose another one with --audio.")
        case EACCES, EPERM:
            return Failure(
                .noSource, thing, because: "this user is not allowed to",
                mend: "Add the user to the group audio (sudo usermod -aG audio USER) and log in again.")
        case ENOENT, ENXIO:
            return Failure(
                .noSource, thing, because: "there is no such device",
                mend: "kinebox devices lists those that there are.")
        case ENODEV:
            return Failure(.noSource, thing, because: "it has been unplugged", mend: "Plug it in again.")
        default:
            return Failure(.noSource, thing, because: String(cString: snd_strerror(code)))
        }
    }
}
