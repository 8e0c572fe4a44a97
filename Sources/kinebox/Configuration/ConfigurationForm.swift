import Control
import Glibc
import Media
import Panel
import Recorder

/// What a key's value is: how it is read, how it is written, and where it goes.
enum ConfigurationForm: Sendable {
    typealias Place<Value> = WritableKeyPath<DaemonConfiguration, Value> & Sendable

    /// As an option of `kinebox record` has it; `usual` is what it would be where nothing stands.
    case option(String, usual: String, isList: Bool = false)
    case yesNo(Place<Bool>)
    /// Nanoseconds.
    case time(Place<Int64>, ClosedRange<Int64>)
    /// Nanoseconds, and nil for what is usual by itself.
    case timeOrUsual(Place<Int64?>, ClosedRange<Int64>)
    case bytes(Place<Int64>, ClosedRange<Int>)
    case percent(Place<Int>)
    /// Permissions of a file, octal.
    case mode(Place<mode_t>)
    case press(Place<RecorderPolicy.RecordButton>)
    /// A path that begins with "/".
    case path(Place<String>)
    /// A folder's name on a medium; empty for its top.
    case folder(Place<String>)
    case group(Place<String>)
    case groups(Place<[String]>)
    case media(Place<[String]>)
    /// UUIDs of file systems.
    case disks(Place<[String]>)
    case button(Place<[ButtonWiring.Place]>)
    case recordLight(Place<LightConfiguration.Recording>)
    case mediumLight(Place<LightWiring?>)

    /// Whether each further line is one more.
    var isList: Bool {
        switch self {
        case .option(_, _, let isList): isList
        case .groups, .media, .disks, .button: true
        default: false
        }
    }

    var isButton: Bool { if case .button = self { true } else { false } }

    var isLight: Bool {
        switch self {
        case .recordLight, .mediumLight: true
        default: false
        }
    }

    /// What may stand there, in words: "yes or no". Empty where the key's own words say it.
    var words: String {
        switch self {
        case .option, .press: ""
        case .yesNo: "yes or no"
        case .time(_, let range), .timeOrUsual(_, let range):
            "a time from \(TimeSpan.words(range.lowerBound)) to \(TimeSpan.words(range.upperBound))"
        case .bytes(_, let range):
            "bytes, from \(WholeNumber.words(range.lowerBound)) to \(WholeNumber.words(range.upperBound))"
        case .percent: "percent, from 1 to 100"
        case .mode: "permissions in octal, such as 0660"
        case .path: "a path that begins with /"
        case .folder: "a folder's name, or nothing for the top"
        case .group: "a group"
        case .groups: "groups, with spaces between them"
        case .media: "the UUID or the label of a file system"
        case .disks: "the UUID of a file system"
        case .button: "one of \(WiringWords.buttonForms.joined(separator: ", "))"
        case .recordLight:
            "one of \(WiringWords.lightForms.joined(separator: ", ")), rgb:RED,GREEN,BLUE, none"
        case .mediumLight: "one of \(WiringWords.lightForms.joined(separator: ", ")), none"
        }
    }
}
