/// A recording as people find it: the file with which it begins, and the medium that this is on.
public struct Clip: Hashable, Sendable {
    /// The first part's path.
    public var path: String
    /// The medium's name.
    public var medium: String

    public init(path: String, medium: String) {
        self.path = path
        self.medium = medium
    }
}
