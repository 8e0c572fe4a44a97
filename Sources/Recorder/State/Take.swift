/// A recording that is being made: from the moment at which it is begun to the moment at which its result is known.
public struct Take: Hashable, Sendable {
    /// Counts up; what a pipeline tells carries it, so that a late word of an older recording changes nothing.
    public let number: Int
    /// What was asked for.
    public let request: StartRequest
    /// The name of the medium that it goes to.
    public let medium: String
    /// Its file, once that is there.
    public internal(set) var clip: Clip?
    /// Whether no more than two seconds are not on the medium.
    public internal(set) var isSaved = true
    /// The client that is told once the first fragment is safe.
    var starter: RequestNumber?
    /// Clients that wanted to start as well, and learn what runs.
    var joiners: [RequestNumber] = []
    /// Clients that wait for the end.
    var stoppers: [RequestNumber] = []
    /// Whether somebody asked for the end.
    var isStopAsked = false

    init(number: Int, request: StartRequest, medium: String, starter: RequestNumber?) {
        self.number = number
        self.request = request
        self.medium = medium
        self.starter = starter
    }
}
