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

        /// A refusal of a value that is right by itself.
        func refusal(_ cause: String, _ mend: String) -> Failure {
            refusal(Failure(.invalidValue, "", because: cause, mend: mend))
        }
    }

    /// Where the file is looked for when none is named.
    static let usualPath = "/etc/kinebox/kinebox.conf"

    /// By the names of their keys.
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

    /// What stands there for a key; empty where nothing does.
    subscript(key: ConfigurationKey) -> [Setting] { settings[key.name] ?? [] }

    private mutating func take(_ assignment: ConfigurationFile.Assignment) throws(Failure) {
        // As systemd does: what begins so is somebody else's.
        if assignment.section.hasPrefix("X-") || assignment.key.hasPrefix("X-") { return }
        let key = try Self.key(assignment)
        let setting = Setting(key: key.name, value: assignment.value, place: assignment.place)
        if assignment.value.isEmpty {
            settings[key.name] = nil
        } else if key.form.isList {
            settings[key.name, default: []].append(setting)
        } else {
            settings[key.name] = [setting]
        }
    }

    /// The key that an assignment is to.
    private static func key(_ assignment: ConfigurationFile.Assignment) throws(Failure) -> ConfigurationKey {
        guard let section = ConfigurationSection(rawValue: assignment.section) else {
            let known = ConfigurationSection.allCases.map { "[\($0.rawValue)]" }
            throw Failure(
                .invalidValue, "cannot use [\(assignment.section)] in \(assignment.place)",
                because: "there is no such section", mend: Suggestion.mend("[\(assignment.section)]", among: known))
        }
        let key = ConfigurationKey.named(assignment.key)
        if let key, key.section == section { return key }
        let thing = "cannot use \(assignment.key)= in \(assignment.place)"
        if let key {
            throw Failure(
                .invalidValue, thing, because: "it stands in [\(section.rawValue)]",
                mend: "It belongs in [\(key.section.rawValue)].")
        }
        let own = ConfigurationKey.all.filter { $0.section == section }.map(\.name)
        let nearest = Suggestion.nearest(assignment.key, among: own)
        // A slip in a key of another section, which stands in the wrong place besides.
        let other = ConfigurationKey.all.first { $0.name.lowercased() == assignment.key.lowercased() }
        let hint = (nearest ?? other?.name).map { "Did you mean \($0)=? " } ?? ""
        throw Failure(
            .invalidValue, thing, because: "[\(section.rawValue)] has no such key",
            mend: hint + "There are \(own.map { $0 + "=" }.joined(separator: ", ")).")
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
