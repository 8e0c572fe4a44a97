import Linux

/// Something open that tells of contacts.
protocol ContactSource: AnyObject {
    /// The descriptor to wait for: readable while edges wait.
    var raw: Int32 { get }
    /// What a person knows it by.
    var name: String { get }
    /// The path of the device, by which it is told that it is open already; nil where that is no question.
    var path: String? { get }
    /// The places in the configuration of the buttons whose contacts it has.
    var buttons: [Int] { get }
    /// Whether levels have come to rest already by the time they are told, as was configured.
    var isDebounced: Bool { get }
    /// Whether a button's contact is closed, as far as was told.
    func isClosed(_ button: Int) -> Bool
    /// Hands out all edges that wait.
    /// - Throws: `Errno` when the device has gone.
    func takeEdges(_ take: (ContactEdge) -> Void) throws(Errno)
    /// Looks at the levels again, and hands out as edges what nobody told of.
    func takeMissedEdges(_ take: (ContactEdge) -> Void) throws(Errno)
}
