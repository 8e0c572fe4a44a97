import CDRM
import Linux

/// The names of a card's properties, each asked for once: planes have most of them in common.
struct PropertyNames {
    private var known: [UInt32: PropertyName] = [:]

    mutating func name(_ id: UInt32, of card: borrowing ScreenCard) throws(Errno) -> PropertyName {
        if let name = known[id] { return name }
        let name = try PropertyName(id, of: card)
        known[id] = name
        return name
    }
}
