import Media
import Recorder

/// What the configuration file says to the daemon, checked, in the parts that its modules take.
struct DaemonConfiguration: Sendable, Equatable {
    /// Sources, encoder, splits and the names of files: what `kinebox record` has options for. There is no place to
    /// record to in it.
    var recording = RecordArguments()
    /// Whether sources are wanted to stay open between recordings.
    var isWarm = true
    /// Whether they do: where a start waits for the signal, somebody has to look for it.
    var keepsSourcesOpen: Bool { isWarm || policy.pendsForSignal }
    /// What the state machine is told.
    var policy = RecorderPolicy()
    var panel = PanelConfiguration()
    var media = MediaConfiguration()
    var control = ControlConfiguration()

    /// The usual values.
    init() {}

    /// - Throws: `Failure` of kind invalidValue that names file, line and key, and what it takes.
    init(_ configuration: Configuration) throws(Failure) {
        recording = try RecordArguments(configuration: configuration)
        for key in ConfigurationKey.all {
            let settings = configuration[key]
            for (index, setting) in settings.enumerated() {
                do throws(Failure) {
                    try key.form.take(setting.value, isFirst: index == 0, into: &self)
                } catch {
                    throw setting.refusal(error)
                }
            }
        }
        for key in ConfigurationKey.all {
            if let last = configuration[key].last { try check(key, last) }
        }
        // Where another button stops, the one that starts does nothing else, as on recorders with two of them.
        if configuration[.pressWhileRecording].isEmpty && !panel.stop.isEmpty { policy.recordButton = .startsOnly }
    }

    /// Reads the file as `Configuration(reading:)` does.
    /// - Parameter path: nil for the usual one, which need not be there.
    /// - Throws: `Failure` of kind invalidValue when a file cannot be read or says what cannot be.
    init(reading path: String?) throws(Failure) {
        try self.init(Configuration(reading: path))
    }

    /// Refuses what is right by itself and not beside what stands elsewhere.
    private func check(_ key: ConfigurationKey, _ setting: Configuration.Setting) throws(Failure) {
        if key == .video, recording.video == .standardInput {
            throw setting.refusal("a daemon has no standard input to record from", "Use auto, test or a device.")
        }
        let buttons = panel.record + panel.stop + panel.mark
        if key.form.isButton, buttons.indices.contains(where: { buttons[..<$0].contains(buttons[$0]) }) {
            throw setting.refusal("a button has this contact already", "Give each button one of its own.")
        }
        let lights = panel.lights.all
        if key.form.isLight, Set(lights).count < lights.count {
            throw setting.refusal("a light is there already", "Give each light one of its own.")
        }
        if key == .holdTime || key == .ejectHoldTime, panel.hold >= panel.ejectHold {
            throw setting.refusal(
                "HoldTime= has to be shorter than EjectHoldTime=", "The usual ones are 1s and 5s.")
        }
    }
}
