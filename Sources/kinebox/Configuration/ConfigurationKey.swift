/// One key of the configuration file. What the file may say, what it is refused for, its man page and its sample are all
/// made of the table `all`.
struct ConfigurationKey: Sendable {
    /// "Video".
    var name: String
    var section: ConfigurationSection
    var form: ConfigurationForm
    /// What it does, in one paragraph.
    var words: String

    init(_ name: String, in section: ConfigurationSection, _ form: ConfigurationForm, _ words: String) {
        self.name = name
        self.section = section
        self.form = form
        self.words = words
    }

    /// All keys, in the order of the sections.
    static let all = recording + behaviour + panel + media + control

    /// The key of a name; nil where there is none.
    static func named(_ name: String) -> ConfigurationKey? { all.first { $0.name == name } }

    /// The option of `kinebox record` that it stands for; nil where it stands for none.
    var option: String? { if case .option(let option, _, _) = form { option } else { nil } }
}

extension ConfigurationKey: Equatable {
    static func == (left: ConfigurationKey, right: ConfigurationKey) -> Bool { left.name == right.name }
}

/// A section of the configuration file.
enum ConfigurationSection: String, Sendable, CaseIterable {
    case recording = "Recording"
    case behaviour = "Behaviour"
    case panel = "Panel"
    case media = "Media"
    case control = "Control"

    /// What it is about, in one sentence.
    var words: String {
        switch self {
        case .recording:
            "What is recorded and how. All but KeepWarm= is an option of kinebox record as well, and counts for it where "
                + "the command line says nothing."
        case .behaviour: "What the box does when it is asked for something, and when something is missing."
        case .panel: "Buttons and lights."
        case .media: "Sticks, cards and disks."
        case .control: "The socket by which the kinebox commands and other programs use the recorder."
        }
    }
}
