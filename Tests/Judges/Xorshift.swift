/// Numbers that look like chance and are the same each time.
public struct Xorshift {
    private var state: UInt64

    /// - Parameter state: more than 0; the same state gives the same numbers.
    public init(state: UInt64) {
        self.state = state
    }

    /// A number from 0 to one less than `limit`.
    public mutating func below(_ limit: Int) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int(state % UInt64(max(1, limit)))
    }

    /// Changes, adds, doubles or removes something.
    public mutating func damage(_ bytes: inout [UInt8]) {
        let place = below(bytes.count)
        guard place < bytes.count else { return }
        switch below(5) {
        case 0: bytes[place] = UInt8(below(256))
        case 1: bytes.insert(Array("{}[]\",:\\0-.e\u{0}".utf8)[below(13)], at: place)
        case 2: bytes.removeSubrange(place..<min(bytes.count, place + 1 + below(9)))
        case 3: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + below(40))], at: place)
        default: bytes[place] ^= 1 << UInt8(below(8))
        }
    }
}
