import Glibc
import Linux
import MP4
import Media

/// `kinebox recover FILE | FOLDER...`
enum RecoverCommand {
    static let declared = [Options.Declaration(name: "--help", takesValue: false)]

    static func run(_ arguments: [String], _ terminal: inout Terminal) throws(Failure) -> Int32 {
        let options = try Options(arguments, of: "recover", declared: declared)
        if options.has("--help") {
            terminal.print(Help.recover)
            return 0
        }
        if options.operands.isEmpty {
            throw Failure(
                .invalidValue, "cannot recover", because: "no file or folder is named",
                mend: "Give the names of files or folders.")
        }
        var code: Int32 = 0
        for operand in options.operands {
            if let names = try names(in: operand) {
                for name in names { code = max(code, recover("\(operand)/\(name)", isNamed: false, &terminal)) }
                if names.isEmpty { terminal.print("\(operand): no .mp4 file") }
            } else {
                code = max(code, recover(operand, isNamed: true, &terminal))
            }
        }
        return code
    }

    /// - Parameter isNamed: false for a file that was found in a folder: that it is no recording is no failure then.
    private static func recover(_ path: String, isNamed: Bool, _ terminal: inout Terminal) -> Int32 {
        do throws(Failure) {
            terminal.print("\(path): \(try Recovery.recover(path: path).words)")
            return 0
        } catch {
            if !isNamed && error.kind == .notARecording {
                terminal.print("\(path): left alone, \(error.cause)")
                return 0
            }
            terminal.tell("kinebox: \(error)")
            return error.kind.exitCode
        }
    }

    /// The .mp4 files of a folder in the order of their names; nil when the path is no folder.
    private static func names(in path: String) throws(Failure) -> [String]? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return nil }
        do {
            return try Folder.names(in: path).filter { $0.lowercased().hasSuffix(".mp4") }
        } catch {
            throw Failure(
                error.code == EACCES ? .notAuthorised : .noMedium, "cannot look into \(path)", because: "\(error)",
                mend: "Ask for the right to read the folder.")
        }
    }
}
