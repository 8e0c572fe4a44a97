import Glibc
import Linux
import Media

/// What a button or a light that cannot be used means to a person.
enum PanelFailure {
    /// The cause of a failure that another program can end.
    static let taken = "another program or driver has taken it"

    /// - Parameters:
    ///   - thing: what cannot be opened: "the input device /dev/input/event3".
    ///   - group: whose members may.
    static func opening(_ thing: String, _ reason: Errno, group: String) -> Failure {
        let thing = "cannot use \(thing)"
        return switch reason.code {
        case EACCES, EPERM:
            Failure(
                .noSource, thing, because: "this user is not allowed to",
                mend: "Add the user to the group \(group) (sudo usermod -aG \(group) USER) and log in again.")
        case EBUSY:
            Failure(
                .noSource, thing, because: taken,
                mend: "Close that program, or choose another one in the configuration.")
        case ENOENT, ENODEV, ENXIO:
            Failure(.noSource, thing, because: "there is no such device", mend: "Plug it in, or correct its name.")
        default:
            Failure(.noSource, thing, because: "\(reason)")
        }
    }

    /// A button of which no device was found.
    static func absent(_ wiring: ButtonWiring) -> Failure {
        let thing = "the button \(wiring.name) is not there"
        switch wiring.place {
        case .key(let key, let device?, _):
            return Failure(
                .noSource, thing, because: "no input device called \(device) has the key \(key)",
                mend: "Plug it in; evtest lists the devices and their keys.")
        case .key(let key, nil, _):
            return Failure(
                .noSource, thing, because: "no input device has the key \(key)",
                mend: "Plug it in; evtest lists the devices and their keys. A whole keyboard has to be named.")
        case .line(let line, _):
            return Failure(
                .noSource, thing, because: "no GPIO chip has the line \(line)",
                mend: "gpioinfo lists the lines, gpiodetect the labels of their chips.")
        }
    }
}
