/// One fault of a file.
public struct Fault: Hashable, Sendable, CustomStringConvertible {
    /// Which kind it is.
    public var code: FaultCode
    /// A sentence that names the box, track or sample, and both values where two do not agree.
    public var message: String

    public init(code: FaultCode, message: String) {
        self.code = code
        self.message = message
    }

    /// "UnitLength: track 1, sample 17 …"
    public var description: String { "\(code.rawValue): \(message)" }
}
