import Media
import Recorder

/// What two configurations do not have in common, so that a reload takes over what it can at once and leaves a running
/// recording alone.
struct ConfigurationChange: OptionSet, Hashable, Sendable {
    let rawValue: Int
    init(rawValue: Int) { self.rawValue = rawValue }

    /// Sources and encoder, which are opened for it anew: only while nothing is recorded.
    static let sources = ConfigurationChange(rawValue: 1)
    /// Names, splits and the length of recordings: from the next one on.
    static let takes = ConfigurationChange(rawValue: 2)
    /// What the state machine is told: at once.
    static let policy = ConfigurationChange(rawValue: 4)
    /// Buttons, which are opened for it anew: at once.
    static let buttons = ConfigurationChange(rawValue: 8)
    /// Lights, which are opened for it anew: at once.
    static let lights = ConfigurationChange(rawValue: 16)
    /// The order of media, the room that is left on them, the folder there, and which disks are media: from the next
    /// recording on, and for what is plugged in from then on.
    static let media = ConfigurationChange(rawValue: 32)
    /// Who may do what: at once, for clients that connect from then on.
    static let access = ConfigurationChange(rawValue: 64)
    /// The socket: by a start of the daemon.
    static let socket = ConfigurationChange(rawValue: 128)

    /// What may be taken over while something is recorded.
    static let atOnce: ConfigurationChange = [.policy, .buttons, .lights, .access, .takes, .media]
    /// What waits for the end of a recording.
    static let whenIdle: ConfigurationChange = .sources
    /// What no reload takes over.
    static let byStart: ConfigurationChange = .socket

    /// What differs.
    init(from old: DaemonConfiguration, to new: DaemonConfiguration) {
        self = []
        if old.sources != new.sources || old.keepsSourcesOpen != new.keepsSourcesOpen { insert(.sources) }
        if old.takes != new.takes { insert(.takes) }
        if old.policy != new.policy { insert(.policy) }
        if old.panel.buttons != new.panel.buttons { insert(.buttons) }
        if old.panel.lights != new.panel.lights { insert(.lights) }
        if old.control.recordGroups != new.control.recordGroups || old.control.lookGroups != new.control.lookGroups {
            insert(.access)
        }
        if old.media != new.media { insert(.media) }
        var control = old.control
        (control.recordGroups, control.lookGroups) = (new.control.recordGroups, new.control.lookGroups)
        if control != new.control { insert(.socket) }
    }

    /// When a reload takes it over, in words.
    var words: String {
        if !isDisjoint(with: .byStart) { return "not by a reload, but when the daemon starts" }
        if !isDisjoint(with: .whenIdle) { return "by a reload, as soon as nothing is recorded" }
        if !isDisjoint(with: [.takes, .media]) { return "by a reload, for the next recording" }
        return "by a reload, at once"
    }
}

extension DaemonConfiguration {
    /// What the sources and the encoder are opened by.
    fileprivate var sources: RecordArguments {
        var sources = recording
        (sources.duration, sources.splits, sources.namePrefix) = (nil, SplitLimits(), "")
        return sources
    }

    /// What belongs to one recording.
    fileprivate var takes: RecordArguments {
        var takes = RecordArguments()
        (takes.duration, takes.splits, takes.namePrefix) = (recording.duration, recording.splits, recording.namePrefix)
        return takes
    }
}

extension ConfigurationKey {
    /// What changes with it.
    var change: ConfigurationChange {
        switch name {
        case "Duration", "SplitSize", "SplitDuration", "NamePrefix": .takes
        case "RecordLight", "MediumLight", "Brightness": .lights
        case "RecordGroups", "LookGroups": .access
        default:
            switch section {
            case .recording: .sources
            case .behaviour: .policy
            case .panel: .buttons
            case .media: .media
            case .control: .socket
            }
        }
    }
}
