import Glibc
import Linux

/// The program `kinebox` that was built together with the program that runs now.
public enum Kinebox {
    /// Its path: beside the running program, or what the variable KINEBOX names.
    public static let path = getenv("KINEBOX").map { String(cString: $0) } ?? "\(folder)/kinebox"

    /// The path of the program with benches and fuzzing, which was built together with the program that runs now.
    public static let benchPath = "\(folder)/kinebox-bench"

    /// The path of the program that may read screens, which was built together with the program that runs now.
    public static let screensPath = "\(folder)/kinebox-kms"

    /// The folder of the program that runs now.
    private static let folder: String = {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        let own = String(decoding: buffer.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return own.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
    }()

    /// Starts `kinebox` with arguments.
    /// - Throws: `Errno`, ENOENT where it was not built.
    public static func start(_ arguments: [String], input: Int32? = nil) throws -> ChildProcess {
        try ChildProcess(path, arguments, input: input)
    }

    /// Runs `kinebox` with arguments until it ends.
    /// - Throws: `Errno`, ENOENT where it was not built.
    public static func run(_ arguments: String..., input: Int32? = nil) throws -> Ending {
        try start(arguments, input: input).wait()
    }

    /// Records the test picture, fed through a pipe as fast as it is taken.
    /// - Throws: `Errno`.
    public static func record(_ picture: PictureFeed.Picture, _ arguments: [String]) throws -> Ending {
        let feed = try PictureFeed(picture)
        let rate = "\(picture.rate.numerator)/\(picture.rate.denominator)"
        return try start(["record", "--video", "-", "--rate", rate] + arguments, input: feed.input).wait()
    }
}
