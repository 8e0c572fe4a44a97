import Glibc

/// How a program ended, and what it left.
public struct Ending: Sendable, CustomStringConvertible {
    /// The command line, for messages.
    public let command: String
    /// The exit code; nil when a signal ended the program.
    public let exitCode: Int32?
    /// The signal that ended the program; nil when it ended by itself.
    public let signal: Int32?
    /// CPU time in the program itself, in seconds.
    public let userSeconds: Double
    /// CPU time in the kernel for the program, in seconds.
    public let systemSeconds: Double
    /// All of the standard output.
    public let output: [UInt8]
    /// All of the standard error, as text.
    public let errors: String

    init(command: String, status: Int32, usage: rusage, output: [UInt8], errors: String) {
        self.command = command
        let number = status & 0x7f
        exitCode = number == 0 ? (status >> 8) & 0xff : nil
        signal = number == 0 ? nil : number
        userSeconds = Double(usage.ru_utime.tv_sec) + Double(usage.ru_utime.tv_usec) / 1e6
        systemSeconds = Double(usage.ru_stime.tv_sec) + Double(usage.ru_stime.tv_usec) / 1e6
        self.output = output
        self.errors = errors
    }

    /// The standard output as text.
    public var text: String { String(decoding: output, as: UTF8.self) }

    /// CPU time in all, in seconds.
    public var processorSeconds: Double { userSeconds + systemSeconds }

    /// The command, how it ended and what it said.
    public var description: String {
        let end = exitCode.map { "exit code \($0)" } ?? "signal \(signal ?? 0)"
        return "\(command)\n\(end)\n\(text.suffix(2000))\n\(errors.suffix(2000))"
    }
}
