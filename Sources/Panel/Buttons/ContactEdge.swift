/// An edge of a button's contact.
struct ContactEdge: Equatable, Sendable {
    /// The button's place in the configuration.
    var button: Int
    var change: Debounce.Change
}
