import CKernel
import Glibc
import Linux
import Media
import Storage

/// The folder of a medium that recordings go into. Everything here may wait for the medium.
struct RecordingFolder: Sendable {
    /// The medium's name.
    var medium: String
    /// Where it is mounted.
    var place: MediumPlace
    /// The folder; that of the medium itself where none is configured.
    var path: String

    /// Bytes that a recording needs at least to begin.
    private static let leastRoom: Int64 = 16_000_000

    /// Names a recording, once it is sure that its files would be on the medium.
    /// - Parameters:
    ///   - wanted: the name that a person gave, without folder; nil for one of date, time and counter.
    ///   - prefix: what names that are made here begin with.
    ///   - isContinuation: whether the recording goes on after a power cut or another medium: the name that it was given
    ///     may be there already then, and gets a number.
    /// - Throws: `Failure` of kind fileExists, noMedium, mediumFull, mediumReadOnly or mediumFailed; nothing is left.
    func name(_ wanted: String?, prefix: String, isContinuation: Bool = false) throws(Failure) -> RecordingName {
        try make()
        try Volume(holding: path).checkRoom(for: Self.leastRoom, in: medium)
        let stem = wanted.map { "\(path)/" + ($0.lowercased().hasSuffix(".mp4") ? $0.dropLast(4) : $0[...]) }
        var (file, count) = (stem.map { "\($0).mp4" }, 1)
        while isContinuation, let stem, let taken = file, access(taken, F_OK) == 0 {
            count += 1
            file = "\(stem)_\(count).mp4"
        }
        return try RecordingName(
            for: file ?? path, prefix: prefix, at: WallClock.seconds, isSynchronised: WallClock.isSynchronised)
    }

    /// Saves a still under a name of date, time and counter.
    /// - Returns: its path.
    /// - Throws: `Failure` of kind noMedium, mediumFull, mediumReadOnly or mediumFailed; nothing is left.
    func save(still bytes: [UInt8], prefix: String) throws(Failure) -> String {
        try make()
        return try StillFile.write(
            bytes, in: path, prefix: prefix, at: WallClock.seconds, isSynchronised: WallClock.isSynchronised)
    }

    /// Makes the folder where it is missing. A mount point without its medium is a folder of the system's own disk: nothing
    /// is ever put there.
    private func make() throws(Failure) {
        try place.verify()
        // Each step of the way: the configuration may name a folder in a folder.
        var ends = path.indices.filter { path[$0] == "/" && path[..<$0].count > place.folder.count }
        if path != place.folder { ends.append(path.endIndex) }
        for end in ends where mkdir(String(path[..<end]), 0o755) != 0 && errno != EEXIST {
            let reason = Errno.last
            let kind: FailureKind =
                switch reason.code {
                case EROFS, EACCES, EPERM: .mediumReadOnly
                case ENOSPC: .mediumFull
                case EIO: .mediumFailed
                default: .noMedium
                }
            throw Failure(kind, "cannot make the folder \(path)", because: "\(reason)")
        }
        try place.verify(path)
    }

    /// Refuses names that some medium or some system could not take, before anything is asked of a medium.
    /// - Throws: `Failure` of kind invalidName.
    static func check(_ name: String) throws(Failure) {
        func refuse(_ cause: String, _ mend: String) -> Failure {
            Failure(.invalidName, "cannot record as \"\(name)\"", because: cause, mend: mend)
        }
        let stem = name.lowercased().hasSuffix(".mp4") ? String(name.dropLast(4)) : name
        if stem.isEmpty { throw refuse("it is empty", "Leave the name out for one of date and time.") }
        if stem.utf8.count > 200 { throw refuse("it has more than 200 bytes", "Choose a shorter name.") }
        if stem.hasPrefix(".") || stem.hasPrefix(" ") || stem.hasSuffix(" ") || stem.hasSuffix(".") {
            throw refuse("it begins or ends with a dot or a space", "Leave that out.")
        }
        let unwanted = Set<Unicode.Scalar>(["/", "\\", ":", "*", "?", "\"", "<", ">", "|"])
        func isControl(_ scalar: Unicode.Scalar) -> Bool { scalar.value < 0x20 || scalar.value == 0x7f }
        if let scalar = stem.unicodeScalars.first(where: { unwanted.contains($0) || isControl($0) }) {
            let words = isControl(scalar) ? "a control character" : "\(scalar)"
            throw refuse("\(words) cannot be in a file's name on every medium", "Use letters, digits, spaces, - and _.")
        }
        let devices = Set(["con", "prn", "aux", "nul"] + (1...9).flatMap { ["com\($0)", "lpt\($0)"] })
        if devices.contains(stem.lowercased()) {
            throw refuse("Windows takes it for a device", "Choose another name.")
        }
    }
}
