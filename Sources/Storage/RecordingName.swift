import CKernel
import Glibc
import Linux
import Media

/// Names of the files of one recording: the first part's path and those of the parts that follow.
///
/// Names are ASCII without characters that FAT or a shell dislike, and of one length for each recording.
public struct RecordingName: Sendable, Equatable {
    /// The folder, without a slash at its end (but "/" itself).
    public let folder: String
    /// The first part's name without ".mp4".
    public let stem: String
    private let fileExtension: String
    private let isInPresentFolder: Bool
    /// Date and time, for a name that was chosen here; nil for one that was given.
    private let base: String?

    /// The longest name that file systems take (`limits.h`, NAME_MAX).
    private static let longestName = 255
    private static let longestPartEnding = "_part9999"

    /// The names for what a person gave as the place to record to: a file's path, or a folder, which gets a name from
    /// date, time and counter.
    /// - Parameters:
    ///   - path: as given on the command line.
    ///   - prefix: what a name that is made here begins with.
    ///   - time: seconds since 1970, for the name in a folder.
    ///   - isSynchronised: false when the clock is known to be wrong; the name says so then.
    /// - Throws: `Failure` of kind invalidName for a name that does not end in .mp4, noMedium for a folder that does not
    ///   exist, fileExists for a file that exists. Nothing is created.
    public init(for path: String, prefix: String = "", at time: time_t, isSynchronised: Bool) throws(Failure) {
        if let status = fileStatus(path) {
            guard status.st_mode & S_IFMT == S_IFDIR else {
                throw Failure(
                    .fileExists, "cannot record to \(path)", because: "the file exists and is never overwritten",
                    mend: "Give another name or a folder.")
            }
            folder = Self.trimmed(path)
            let base = prefix + Self.dateAndTime(time, isSynchronised: isSynchronised)
            self.base = base
            stem = Self.unused(in: folder, base)
            fileExtension = ".mp4"
            isInPresentFolder = false
            return
        }
        let (folder, name) = Self.divided(path)
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex, name[dot...].lowercased() == ".mp4" else {
            if path.hasSuffix("/") {
                throw Self.absent(path, for: path)
            }
            throw Failure(
                .invalidName, "cannot record to \(path)",
                because: "it is neither a folder nor a name that ends in .mp4",
                mend: "Add .mp4 to the name, or make the folder first.")
        }
        guard name.utf8.count + Self.longestPartEnding.utf8.count <= Self.longestName else {
            throw Failure(
                .invalidName, "cannot record to \(path)",
                because: "no name is left for the parts that may follow, since none may be longer than 255 bytes",
                mend: "Choose a shorter name.")
        }
        guard let status = fileStatus(folder) else { throw Self.absent(folder, for: path) }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw Failure(
                .noMedium, "cannot record to \(path)", because: "\(folder) is not a folder",
                mend: "Give a path in a folder that exists.")
        }
        self.folder = folder
        base = nil
        isInPresentFolder = !path.contains("/")
        stem = String(name[..<dot])
        fileExtension = String(name[dot...])
    }

    /// The path of a part, counted from 1: "NAME.mp4", "NAME_part02.mp4" and so on.
    public func path(ofPart number: Int) -> String {
        let prefix = isInPresentFolder ? "" : folder == "/" ? "/" : folder + "/"
        if number == 1 { return prefix + stem + fileExtension }
        return prefix + stem + Self.ending(ofPart: number) + fileExtension
    }

    /// What a part's name ends in, in front of ".mp4": "_part02"; nothing for the first part.
    public static func ending(ofPart number: Int) -> String { number == 1 ? "" : "_part" + padded(number, to: 2) }

    /// The name of a recording and the number of a part, from the part's name without ".mp4": "NAME_part02" is part 2 of
    /// "NAME".
    public static func parts(of name: some StringProtocol) -> (stem: String, part: Int) {
        if let mark = name.lastIndex(of: "_"), name[mark...].hasPrefix("_part") {
            let digits = name[name.index(mark, offsetBy: 5)...]
            if digits.count >= 2, let part = Int(digits), part > 1 { return (String(name[..<mark]), part) }
        }
        return (String(name), 1)
    }

    private init(_ name: RecordingName, base: String) {
        folder = name.folder
        stem = Self.unused(in: name.folder, base)
        fileExtension = name.fileExtension
        isInPresentFolder = name.isInPresentFolder
        self.base = base
    }

    /// The next name that is free in the folder, for a name that was taken since it was chosen; nil when the name was
    /// given by a person, who wanted that one.
    public func another() -> RecordingName? {
        base.map { RecordingName(self, base: $0) }
    }

    private static func absent(_ folder: String, for path: String) -> Failure {
        Failure(
            .noMedium, "cannot record to \(path)", because: "the folder \(folder) does not exist",
            mend: "Make the folder, or insert the medium that holds it.")
    }

    static func dateAndTime(_ time: time_t, isSynchronised: Bool) -> String {
        var seconds = time
        var parts = tm()
        localtime_r(&seconds, &parts)
        let date =
            "\(padded(Int(parts.tm_year) + 1900, to: 4))-\(padded(Int(parts.tm_mon) + 1, to: 2))-"
            + padded(Int(parts.tm_mday), to: 2)
        let clock =
            "\(padded(Int(parts.tm_hour), to: 2))-\(padded(Int(parts.tm_min), to: 2))-"
            + padded(Int(parts.tm_sec), to: 2)
        return (isSynchronised ? "" : "unsynchronised_") + date + "_" + clock
    }

    static func unused(in folder: String, _ base: String, _ ending: String = ".mp4") -> String {
        var counter = 1
        while fileStatus("\(folder)/\(base)_\(padded(counter, to: 4))\(ending)") != nil { counter += 1 }
        return base + "_" + padded(counter, to: 4)
    }

    private static func trimmed(_ path: String) -> String {
        var path = Substring(path)
        while path.count > 1 && path.hasSuffix("/") { path = path.dropLast() }
        return String(path)
    }

    private static func divided(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        let folder = slash == path.startIndex ? "/" : String(path[..<slash])
        return (folder, String(path[path.index(after: slash)...]))
    }
}

/// What `stat(2)` says of a path; nil when there is no such thing.
func fileStatus(_ path: String) -> stat? {
    var status = stat()
    return stat(path, &status) == 0 ? status : nil
}

/// A number in decimal with zeros before it.
func padded(_ number: Int, to width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
