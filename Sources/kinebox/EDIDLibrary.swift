import Glibc
import Linux
import Media
import V4L2

/// The EDIDs that come with the program, and those of the user's own: what an input tells a source that it can take.
///
/// Those that come with the program are text: bytes in hexadecimal, and remarks behind "#". A file of the user's may be
/// such a text or the bytes themselves.
enum EDIDLibrary {
    /// An EDID by its name, "1080p60", or a file's path.
    /// - Parameter folders: where names are looked for; the first that has one counts.
    /// - Throws: `Failure` of kind invalidValue when there is none of this name, or it is no EDID.
    static func edid(_ name: String, in folders: [String] = folders) throws(Failure) -> EDID {
        if !name.isEmpty && !name.contains("/") {
            for folder in folders {
                if let bytes = try? Folder.bytes(of: "\(folder)/\(name).txt") {
                    return try EDID(try content(bytes, name), named: name)
                }
            }
        }
        return try EDID(try content(try read(name), name), named: name)
    }

    /// The names of the EDIDs that come with the program, in their order.
    static func names(in folders: [String] = folders) -> [String] {
        var names: [String] = []
        for folder in folders {
            for file in (try? Folder.names(in: folder)) ?? [] where file.hasSuffix(".txt") {
                let name = String(file.dropLast(4))
                if !names.contains(name) { names.append(name) }
            }
        }
        return names.sorted()
    }

    /// Beside the installed program, and in the checkout that the program was built in.
    static var folders: [String] {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        let own = String(decoding: buffer.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let pieces = own.split(separator: "/").map(String.init)
        let installed = path(pieces.dropLast(2) + ["share", "kinebox", "edid"])
        guard let build = pieces.firstIndex(of: ".build") else { return [installed] }
        return [installed, path(pieces[..<build] + ["board", "edid"])]
    }

    private static func path(_ pieces: some Sequence<String>) -> String {
        pieces.reduce("") { "\($0)/\($1)" }
    }

    private static func read(_ path: String) throws(Failure) -> [UInt8] {
        do {
            return try Folder.bytes(of: path, limit: 64 << 10)
        } catch {
            let isName = !path.contains("/") && error.code == ENOENT
            throw Failure(
                .invalidValue, "cannot use the EDID \(path.isEmpty ? "\"\"" : path)",
                because: isName ? "there is neither an EDID of this name nor such a file" : "\(error)",
                mend: Suggestion.mend(path, among: names() + ["a file's path"]))
        }
    }

    /// The bytes that a file holds, or that its text spells.
    private static func content(_ bytes: [UInt8], _ name: String) throws(Failure) -> [UInt8] {
        // Each EDID begins with a 0, and no text does.
        if bytes.first == 0 { return bytes }
        var result: [UInt8] = []
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            let words = line.prefix { $0 != UInt8(ascii: "#") }
            for word in words.split(whereSeparator: { [9, 13, 32].contains($0) }) {
                let text = String(decoding: word, as: UTF8.self)
                guard word.count == 2, let byte = UInt8(text, radix: 16) else {
                    throw Failure(
                        .invalidValue, "cannot use \(name) as an EDID",
                        because: "\"\(text)\" in it is no byte in hexadecimal",
                        mend: "Write two digits for each byte, and remarks behind #.")
                }
                result.append(byte)
            }
        }
        return result
    }
}
