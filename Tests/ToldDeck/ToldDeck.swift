import Glibc
import Media
import Recorder

/// A deck, with all that it has told.
open class ToldDeck {
    public let deck: Deck
    /// What it has told so far, the oldest first.
    public private(set) var events: [DeckEvent] = []
    /// Hundredths of a second after which what is waited for will not come.
    private let patience: Int

    /// - Throws: `Failure` when the system has no thread or descriptor left.
    public init(_ plan: DeckPlan, patience: Int) throws {
        deck = try Deck(plan)
        self.patience = patience
    }

    deinit { deck.close() }

    /// What was waited for was not told.
    public struct Missing: Error {
        /// What was.
        public var events: [DeckEvent]
    }

    /// The next event, if there is one; it is remembered.
    public func next() -> DeckEvent? {
        guard let event = deck.nextEvent() else { return nil }
        events.append(event)
        return event
    }

    /// The first event that fits, of those that were told or are to come.
    @discardableResult
    public func wait<Value>(_ body: (DeckEvent) -> Value?) throws -> Value {
        for event in events { if let value = body(event) { return value } }
        for _ in 0..<patience {
            while let event = next() { if let value = body(event) { return value } }
            var entry = pollfd(fd: deck.descriptor, events: Int16(POLLIN), revents: 0)
            _ = poll(&entry, 1, 10)
        }
        throw Missing(events: events)
    }

    /// Forgets what was told.
    public func forget() {
        while deck.nextEvent() != nil {}
        events.removeAll()
    }

    /// Waits until pictures come in.
    public func present() throws {
        try wait { if case .source(.present) = $0 { true } else { nil } }
    }

    /// What a recording has become, once it has ended.
    public func ended(_ number: Int) throws -> TakeResult {
        try wait { if case .take(number, .ended(let result)) = $0 { result } else { nil } }
    }
}
