/// What the service says of itself (`org.varlink.service.GetInfo`).
public struct ServerIdentity: Codable, Sendable, Equatable {
    public var vendor = "Kinebox"
    public var product = "Kinebox recorder"
    /// The program's version.
    public var version: String
    /// Where more is to be read.
    public var url: String
    public var interfaces = InterfaceDescription.names

    /// - Parameters:
    ///   - version: the program's version.
    ///   - url: where more is to be read; may be empty.
    public init(version: String, url: String) {
        self.version = version
        self.url = url
    }
}
