/// Changes boxes of a file that is held in memory.
struct BoxEditor {
    var bytes: [UInt8]

    /// Where a box lies.
    struct Place {
        var offset: Int
        var size: Int
        /// The place of the first byte behind the header.
        var payload: Int { offset + 8 }
        var end: Int { offset + size }
    }

    /// The boxes on the way to a box, the box itself last.
    /// - Parameter path: names with a slash between, each with a number from 0 where it is not the first of its name:
    ///   "moov/trak:1/mdia".
    func chain(_ path: String) -> [Place] {
        var chain: [Place] = []
        var (start, end) = (0, bytes.count)
        for part in path.split(separator: "/") {
            let pieces = part.split(separator: ":")
            var number = pieces.count > 1 ? Int(pieces[1]) ?? 0 : 0
            var found: Place?
            while found == nil, start + 8 <= end {
                let place = Place(offset: start, size: Int(number32(at: start)))
                // The copyright sign of Apple's names is one byte.
                let name = String(String.UnicodeScalarView(bytes[(start + 4)..<(start + 8)].map { Unicode.Scalar($0) }))
                if name == pieces[0] {
                    if number == 0 { found = place }
                    number -= 1
                }
                guard place.size >= 8 else { break }
                start = place.end
            }
            guard let found else { return [] }
            chain.append(found)
            start = found.payload + (Self.fields[String(pieces[0])] ?? 0)
            end = found.end
        }
        return chain
    }

    /// Where a box lies.
    func box(_ path: String) -> Place { chain(path).last ?? Place(offset: 0, size: 0) }

    /// True when there is such a box.
    func has(_ path: String) -> Bool { !chain(path).isEmpty }

    func number32(at place: Int) -> UInt32 {
        bytes[place..<(place + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }

    mutating func set32(_ value: UInt32, at place: Int) {
        for index in 0..<4 { bytes[place + index] = UInt8(truncatingIfNeeded: value >> UInt32(24 - 8 * index)) }
    }

    /// The number at an offset in a box's fields.
    func number32(_ path: String, _ offset: Int) -> UInt32 { number32(at: box(path).payload + offset) }

    mutating func set32(_ path: String, _ offset: Int, _ value: UInt32) {
        set32(value, at: box(path).payload + offset)
    }

    mutating func add32(_ path: String, _ offset: Int, _ value: Int) {
        set32(path, offset, UInt32(truncatingIfNeeded: Int(number32(path, offset)) + value))
    }

    mutating func set8(_ path: String, _ offset: Int, _ value: UInt8) {
        bytes[box(path).payload + offset] = value
    }

    mutating func rename(_ path: String, to name: String) {
        let place = box(path)
        bytes.replaceSubrange((place.offset + 4)..<(place.offset + 8), with: name.utf8)
    }

    /// Puts bytes into a box, and makes all boxes around them longer.
    mutating func insert(_ more: [UInt8], _ path: String, _ offset: Int) {
        let chain = chain(path)
        for place in chain { set32(UInt32(place.size + more.count), at: place.offset) }
        bytes.insert(contentsOf: more, at: (chain.last?.payload ?? 0) + offset)
    }

    /// Takes bytes out of a box, and makes all boxes around them shorter.
    mutating func cut(_ count: Int, _ path: String, _ offset: Int) {
        let chain = chain(path)
        for place in chain { set32(UInt32(place.size - count), at: place.offset) }
        let start = (chain.last?.payload ?? 0) + offset
        bytes.removeSubrange(start..<(start + count))
    }

    /// Where a sample of a track lies, by its tables: its chunk has one sample or it is the first of its chunk.
    func chunk(_ track: Int, _ number: Int) -> Int {
        Int(number32("moov/trak:\(track)/mdia/minf/stbl/stco", 8 + 4 * number))
    }

    /// Bytes of a box's own fields before the boxes in it.
    private static let fields = ["stsd": 8, "dref": 8, "avc1": 78, "mp4a": 28, "meta": 4]
}
