import Control

/// The events of a recorder's life, each with the identifier (MESSAGE_ID) under which the journal finds and the catalog
/// (`systemd/kinebox.catalog`) explains it: `journalctl MESSAGE_ID=…`, `journalctl -x`. They never change.
enum JournalMessage: String, CaseIterable {
    case recorderReady = "225537bcb61c40acb2678480324b7a75"
    case recorderEnding = "25375b133e144784a571e5d0a00f8e48"
    case configurationLoaded = "a359a4e31bcb43b4981238703f5326ce"
    case configurationRefused = "d26f9b478bc54cf5860b0316d69b62f2"

    case recordingStarted = "289efa6121194a87b8e8312548315b7d"
    /// The first fragment is on the medium, and the light is steady.
    case recordingDurable = "438f6a4be34e43ec9d1504dc554cc4b0"
    case recordingPaused = "2a434b603b6d48f9ab3b927e7cd55fd9"
    case recordingResumed = "1fb2c9d215a548e18e898336524a1751"
    case recordingSplit = "794cdf4a081d42618fa6d4aad5bb8815"
    case recordingMarked = "0493eef43a224183a1b8fee68afbfb67"
    /// More than two seconds of it wait to be saved.
    case recordingUnsaved = "43400b440c7c4bae92e0baf98902109e"
    case recordingSaved = "8a80a1f9a1e44a50aff87be2a5a2661e"
    case recordingStopped = "04a679cb4e02488e957ffbf83547fdc7"
    case recordingFailed = "23b3b7e102484d418eb5d8bbac2976e1"
    /// After a power cut, where that is wanted.
    case recordingContinued = "262b9a71ebd64d6ea4647216921661fd"

    /// Something that a hand or a client asked for was not done.
    case refused = "eb0ac3804c9d44cc93971c185c4c5170"
    case clientRefused = "c7f3090d854d40138ffd272ddeba8f35"

    case signalFound = "4d5e46347fdf4f69a7212ea9dae01546"
    case signalLost = "73078ee9a7fe4018859a3b041e397a83"
    case encoderChanged = "5c9b9f15d5fb4560805d5691ea0f7ae8"
    case picturesDropped = "0495bd82a0894e28aa32564ce0abc410"
    case soundSilent = "1632e7efe3ec4db89dad6684212e0fa9"
    case soundClockOff = "530b29a79b484d30a106479cd88e24ff"
    case spaceLow = "f1475466a4ed41cc9042afafe04197d7"

    case mediumAdded = "53a88fc8d38d41749f0cad5fa5fe3843"
    case mediumReady = "20ede6c7e6534b18a27b4b04f585440f"
    case mediumEjected = "78fafb7a529342f292c2c18561d20b59"
    /// Pulled without having been ejected.
    case mediumRemoved = "423c4296580f4cc487cc23c323beb20b"
    case mediumFailed = "53bb26799f9f4ddc8383df3399343fdd"
    /// What a power cut left behind has been finished.
    case recordingRecovered = "2d8cc5460f2e4b2c9c6ab4d5751e8667"
    case recoveryFailed = "3ce98a609a8e47a290d3c7fe664bc52a"

    case stillTaken = "fc996fc037854cb7ad1ee33c533e63ab"
    case stillFailed = "8682cfc4a9b948bbaa227f929348ce6b"

    case buttonStuck = "510929ddb16c430a9438b56b3f5baad5"
    case buttonLost = "9d871bd1c7ea44cca7276d9e349da602"
    case lightLost = "57dc0c0b6d6f40d3b3435d0ffbee75fb"
    case identified = "cbdcb97c01d34f3f950c9f0f718c2937"

    /// How grave it is, where nothing else is said.
    var priority: JournalEntry.Priority {
        switch self {
        case .recorderReady, .recorderEnding, .configurationLoaded, .recordingPaused, .recordingResumed,
            .recordingSplit,
            .recordingMarked, .recordingSaved, .recordingDurable, .mediumAdded, .stillTaken, .identified:
            .information
        case .recordingStarted, .recordingStopped, .recordingContinued, .signalFound, .mediumReady, .mediumEjected,
            .recordingRecovered, .refused:
            .notice
        case .recordingUnsaved, .clientRefused, .signalLost, .encoderChanged, .picturesDropped, .soundSilent,
            .soundClockOff, .spaceLow, .mediumRemoved, .buttonStuck, .buttonLost, .lightLost:
            .warning
        case .configurationRefused, .recordingFailed, .mediumFailed, .recoveryFailed, .stillFailed:
            .failure
        }
    }
}

/// What an event's entry says besides its text, for programs.
enum JournalField: String, CaseIterable {
    /// The recording's name: the first part's file name.
    case clip = "KINEBOX_CLIP"
    /// The file that the event is about.
    case path = "KINEBOX_PATH"
    case medium = "KINEBOX_MEDIUM"
    case mediumUUID = "KINEBOX_MEDIUM_UUID"
    /// Why, in a few words.
    case reason = "KINEBOX_REASON"
    /// Pictures in the recording.
    case frames = "KINEBOX_FRAMES"
    /// Pictures that were lost.
    case dropped = "KINEBOX_DROPPED"
    /// Bytes of the recording's files.
    case bytes = "KINEBOX_BYTES"
    /// The failure's one word, as the socket has it: "NoMedium".
    case error = "KINEBOX_ERROR"
}

extension JournalEntry {
    /// An event of the recorder's life.
    init(_ message: JournalMessage, _ text: String, _ fields: KeyValuePairs<JournalField, String> = [:]) {
        self.init(
            text, message.priority, identifier: message.rawValue,
            fields: fields.map { Field($0.key.rawValue, $0.value) })
    }
}
