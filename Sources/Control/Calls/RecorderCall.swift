import Media

/// A method of the recorder's interface: what it takes and what it gives.
public protocol RecorderCall: Sendable {
    associatedtype Parameters: CallParameters
    associatedtype Reply: Codable & Sendable
    /// Which method it is.
    static var method: RecorderMethod { get }
}

/// What a method takes.
public protocol CallParameters: Codable, Sendable {
    /// The names of the parameters on the wire, each with the names inside it where it is an object. The service
    /// refuses all others: a parameter with a slip in its name would else be lost without a word.
    static var names: [String: [String]] { get }
    /// Why they cannot be taken although their form is right; nil when they can.
    var objection: Failure? { get }
}

extension RecorderAPI {
    /// The parameters, or the reply, of a method that has none.
    public struct Nothing: CallParameters, Hashable {
        public static var names: [String: [String]] { [:] }

        public init() {}
    }
}
