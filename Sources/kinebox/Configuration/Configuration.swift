import Glibc
import Linux
import Media

/// What the configuration file says: the values of options for which nothing stands on the command line.
struct Configuration: Equatable {
    /// A value and where it stands.
    struct Setting: Equatable {
        /// "Size".
        var key: String
        var value: String
        /// "/etc/kinebox/kinebox.conf, line 3".
        var place: String

        /// A refusal of the value in the words of the file.
        func refusal(_ failure: Failure) -> Failure {
            Failure(failure.kind, "cannot use \(key)=\(value) in \(place)", because: failure.cause, mend: failure.mend)
        }
    }

    /// A key of `[Recording]` and the option that it stands for.
    struct Key: Equatable {
        var name: String
        var option: String
        /// Whether each further value is one more; an empty one takes back those before it.
        var isList = false
    }

    /// Where the file is looked for when none is named.
    static let usualPath = "/etc/kinebox/kinebox.conf"
    /// The only section so far.
    static let section = "Recording"
    /// All keys.
    static let keys = [
        Key(name: "Video", option: "--video"), Key(name: "Audio", option: "--audio", isList: true),
        Key(name: "Encoder", option: "--encoder"), Key(name: "PixelFormat", option: "--pixel-format"),
        Key(name: "EDID", option: "--edid"), Key(name: "SignalLoss", option: "--signal-loss"),
        Key(name: "Size", option: "--size"), Key(name: "Rate", option: "--rate"),
        Key(name: "Bitrate", option: "--bitrate"), Key(name: "Preset", option: "--preset"),
        Key(name: "Threads", option: "--threads"), Key(name: "Duration", option: "--duration"),
        Key(name: "SplitSize", option: "--split-size"), Key(name: "SplitDuration", option: "--split-duration"),
    ]

    private var settings: [String: [Setting]] = [:]

    /// Nothing: every option has its usual value.
    init() {}

    /// Puts files together: what stands in a later one counts.
    /// - Throws: `Failure` of kind invalidValue for a section or key that there is not.
    init(_ files: [ConfigurationFile]) throws(Failure) {
        for file in files {
            for assignment in file.assignments { try take(assignment) }
        }
    }

    /// Reads the file, and behind it all files that end in ".conf" in the folder beside it that is called like it with
    /// ".d" at the end, in the order of their names.
    /// - Parameter path: nil for the usual one, which need not be there.
    /// - Throws: `Failure` of kind invalidValue when a file cannot be read or says what cannot be.
    init(reading path: String?) throws(Failure) {
        let main = path ?? Self.usualPath
        var files: [ConfigurationFile] = []
        if let file = try Self.file(main, isNeeded: path != nil) { files.append(file) }
        let folder = "\(main).d"
        for name in (try? Folder.names(in: folder)) ?? [] where name.hasSuffix(".conf") && !name.hasPrefix(".") {
            if let file = try Self.file("\(folder)/\(name)", isNeeded: true) { files.append(file) }
        }
        try self.init(files)
    }

    /// What stands there for an option, "--size"; empty where nothing does.
    subscript(option: String) -> [Setting] { settings[option] ?? [] }

    private mutating func take(_ assignment: ConfigurationFile.Assignment) throws(Failure) {
        // As systemd does: what begins so is somebody else's.
        if assignment.section.hasPrefix("X-") || assignment.key.hasPrefix("X-") { return }
        guard assignment.section == Self.section else {
            let hint = Suggestion.nearest(assignment.section, among: [Self.section]).map { "Did you mean [\($0)]? " }
            throw Failure(
                .invalidValue, "cannot use [\(assignment.section)] in \(assignment.place)",
                because: "there is no such section", mend: (hint ?? "") + "Use [\(Self.section)].")
        }
        guard let key = Self.keys.first(where: { $0.name == assignment.key }) else {
            let hint = Suggestion.nearest(assignment.key, among: Self.keys.map(\.name)).map { "Did you mean \($0)=? " }
            let all = Self.keys.map { $0.name + "=" }.joined(separator: ", ")
            throw Failure(
                .invalidValue, "cannot use \(assignment.key)= in \(assignment.place)",
                because: "[\(Self.section)] has no such key", mend: (hint ?? "") + "There are \(all).")
        }
        let setting = Setting(key: key.name, value: assignment.value, place: assignment.place)
        if assignment.value.isEmpty {
            settings[key.option] = nil
        } else if key.isList {
            settings[key.option, default: []].append(setting)
        } else {
            settings[key.option] = [setting]
        }
    }

    private static func file(_ path: String, isNeeded: Bool) throws(Failure) -> ConfigurationFile? {
        let bytes: [UInt8]
        do {
            bytes = try Folder.bytes(of: path)
        } catch {
            if error.code == ENOENT && !isNeeded { return nil }
            throw Failure(
                .invalidValue, "cannot read the configuration \(path)", because: "\(error)",
                mend: "Name a file that can be read, or leave it out.")
        }
        return try ConfigurationFile(String(decoding: bytes, as: UTF8.self), path: path)
    }
}
