import Glibc
import Testing

/// Things that the board's encoder can be made to do wrong (`board/virtual/h264-encoder/README.md`).
enum EncoderFault {
    /// Runs a body while the encoder has faults, and takes them away again.
    /// - Parameter settings: a parameter and its value each.
    static func during<Result>(_ settings: [String: String], _ body: () throws -> Result) throws -> Result {
        var usual: [String: String] = [:]
        for (name, value) in settings {
            usual[name] = try read(name)
            try write(name, value)
        }
        defer { for (name, value) in usual { try? write(name, value) } }
        return try body()
    }

    private static func path(_ name: String) -> String { "/sys/module/vh264enc/parameters/\(name)" }

    private static func read(_ name: String) throws -> String {
        let file = try #require(fopen(path(name), "r"))
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        guard fgets(&line, 256, file) != nil else { return "" }
        return String(decoding: line.prefix { $0 != 0 && $0 != 10 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private static func write(_ name: String, _ value: String) throws {
        let file = try #require(fopen(path(name), "w"))
        fputs(value.isEmpty ? "\n" : value, file)
        #expect(fclose(file) == 0)
    }
}
