import Glibc
import Judges
import Media

/// The virtual board's HDMI inputs and encoders, as a bench sets them.
enum BoardDevices {
    /// An HDMI input.
    enum Input: String {
        case single = "/dev/board/hdmi"
        case planes = "/dev/board/hdmi-planes"

        /// The encoder of the same interface.
        var encoder: String { self == .single ? "/dev/board/encoder" : "/dev/board/encoder-planes" }
    }

    /// The node that a name leads to: "/dev/video0"; the name itself where it is no link.
    static func node(_ name: String) -> String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        guard let path = realpath(name, &buffer) else { return name }
        return String(cString: path)
    }

    /// The number in a node's name.
    static func number(_ name: String) -> Int { Int(node(name).drop { !$0.isNumber }) ?? -1 }

    /// Every node that codes or converts.
    static var processors: [String] {
        ["/dev/board/encoder", "/dev/board/encoder-planes", "/dev/board/converter"].map(node)
    }

    /// Has pictures come in.
    /// - Parameters:
    ///   - mode: "1280x720@30".
    ///   - fourcc: the layout that the input is left with, for programs that take it as it is.
    static func set(_ input: Input, _ mode: String, fourcc: String) throws {
        let size = mode.split(separator: "@")[0].split(separator: "x")
        try run("boardctl", (input == .planes ? ["hdmi", "--planes"] : ["hdmi"]) + ["on", mode])
        try run("v4l2-ctl", ["-d", input.rawValue, "--set-dv-bt-timings", "query"])
        try run("v4l2-ctl", ["-d", input.rawValue, "-v", "width=\(size[0]),height=\(size[1]),pixelformat=\(fourcc)"])
    }

    /// Runs a piece of work while one encoder alone is to be seen: programs take the first that they find.
    static func withOnly<Result>(_ encoder: String, _ work: () throws -> Result) throws -> Result {
        let others = [Input.single, .planes].map(\.encoder).filter { $0 != encoder }.map(node)
        for (index, node) in others.enumerated() { rename(node, "/dev/hidden\(index)") }
        defer {
            for (index, node) in others.enumerated() { rename("/dev/hidden\(index)", node) }
        }
        return try work()
    }

    /// Runs a program that must succeed.
    static func run(_ program: String, _ arguments: [String]) throws {
        let ending = try ChildProcess(program, arguments).wait()
        guard ending.exitCode == 0 else {
            throw Failure(.internalFault, "cannot set the board", because: "\(ending)")
        }
    }
}
