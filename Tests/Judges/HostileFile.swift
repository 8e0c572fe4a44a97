import CKernel
import Media

/// Makes hostile files of good ones: box sizes that overflow, boxes that nest and loop, numbers at their limits, bits that
/// fell over, files that were cut. The same number always makes the same file.
public struct HostileFile {
    private let good: [UInt8]
    /// Where boxes begin, on all levels.
    private let boxes: [Int]

    /// - Parameter good: an MP4 file.
    public init(of good: [UInt8]) {
        self.good = good
        var boxes: [Int] = []
        Self.collect(good, from: 0, to: good.count, depth: 0, into: &boxes)
        self.boxes = boxes
    }

    /// The file with a number.
    public func bytes(number: UInt64) -> [UInt8] {
        var random = Random(state: number &* 0x9E37_79B9_7F4A_7C15)
        var bytes = good
        for _ in 0...random.below(4) { change(&bytes, &random) }
        // A checksum that fits lets the damage come further than one that does not.
        if random.below(2) == 0 { Self.mendChecksums(&bytes) }
        return bytes
    }

    private func change(_ bytes: inout [UInt8], _ random: inout Random) {
        guard bytes.count > 64 else { return }
        let box = boxes.isEmpty ? 0 : boxes[random.below(boxes.count)]
        let place = random.below(2) == 0 ? box + random.below(64) : random.below(bytes.count - 16)
        guard place + 16 <= bytes.count, box + 16 <= bytes.count else { return }
        switch random.below(12) {
        case 0: bytes[place] ^= 1 << UInt8(random.below(8))
        case 1: bytes[place] = UInt8(random.below(256))
        case 2, 3: Self.set(&bytes, random.limit(), at: box)
        case 4, 5: Self.set(&bytes, random.limit(), at: place)
        case 6:
            // A size of 64 bits.
            Self.set(&bytes, 1, at: box)
            Self.set(&bytes, random.limit(), at: box + 8)
            Self.set(&bytes, random.limit(), at: box + 12)
        case 7: Self.set(&bytes, random.type(), at: box + 4)
        case 8: bytes.removeLast(random.below(bytes.count - 1))
        case 9: bytes.removeSubrange(place..<min(place + 1 + random.below(300), bytes.count))
        case 10:
            let source = random.below(bytes.count)
            let piece = Array(bytes[source..<min(source + 1 + random.below(4000), bytes.count)])
            bytes.insert(contentsOf: piece, at: box)
        default:
            for index in place..<min(place + random.below(400), bytes.count) { bytes[index] = 0 }
        }
    }

    private static let containers: Set<UInt32> = Set(
        ["moov", "trak", "mdia", "minf", "stbl", "mvex", "moof", "traf", "edts", "udta", "dinf", "mfra"].map {
            code($0)
        })

    private static func collect(_ bytes: [UInt8], from start: Int, to end: Int, depth: Int, into boxes: inout [Int]) {
        var place = start
        while place + 8 <= end, boxes.count < 5000 {
            let size = Int(number(bytes, at: place))
            boxes.append(place)
            guard size >= 8, place + size <= end else { return }
            let type = number(bytes, at: place + 4)
            // The media data of a recording of ours hide its fragments.
            if containers.contains(type) || (type == code("mdat") && depth == 0 && place == 32) {
                let inside = type == code("mdat") ? place + 16 : place + 8
                collect(bytes, from: inside, to: place + size, depth: depth + 1, into: &boxes)
            } else if type == code("stsd"), size > 16 {
                collect(bytes, from: place + 16, to: place + size, depth: depth + 1, into: &boxes)
            } else if type == code("avc1"), size > 86 {
                collect(bytes, from: place + 86, to: place + size, depth: depth + 1, into: &boxes)
            } else if type == code("mp4a"), size > 36 {
                collect(bytes, from: place + 36, to: place + size, depth: depth + 1, into: &boxes)
            }
            place += size
        }
    }

    static func code(_ name: String) -> UInt32 { name.utf8.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } }

    static func number(_ bytes: [UInt8], at place: Int) -> UInt32 {
        bytes[place..<(place + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }

    static func set(_ bytes: inout [UInt8], _ value: UInt32, at place: Int) {
        for index in 0..<4 { bytes[place + index] = UInt8(truncatingIfNeeded: value >> UInt32(24 - 8 * index)) }
    }
}

extension HostileFile {
    /// Makes the checksums of a recording's records fit the bytes again, wherever its records still stand
    /// (`docs/file-format.md`).
    private static func mendChecksums(_ bytes: inout [UInt8]) {
        guard bytes.count > 140, bytes[56..<72].elementsEqual("kinebox.session1".utf8) else { return }
        set(&bytes, checksum(bytes, 48..<128), at: 128)
        let movieSize = Int(number(bytes, at: 132))
        guard movieSize >= 8, 132 + movieSize <= bytes.count else { return }
        let movie = checksum(bytes, 132..<(132 + movieSize))
        var place = 132 + movieSize
        while place + 80 <= bytes.count, bytes[(place + 8)..<(place + 24)].elementsEqual("kinebox.fragment".utf8) {
            let header = Int(number(bytes, at: place + 52))
            let media = Int(number(bytes, at: place + 56))
            let end = place + 80 + header + media
            guard end <= bytes.count else { return }
            set(&bytes, movie, at: place + 68)
            set(&bytes, checksum(bytes, (place + 80 + header)..<end), at: place + 72)
            let start = checksum(bytes, place..<(place + 76))
            let whole = bytes.withUnsafeBytes { ckernel_crc32c(start, $0.baseAddress.map { $0 + place + 80 }, header) }
            set(&bytes, whole, at: place + 76)
            place = end
        }
        let seal = bytes.count - 52
        if place + 52 < bytes.count, bytes[(seal + 8)..<(seal + 24)].elementsEqual("kinebox.moovseal".utf8) {
            set(&bytes, checksum(bytes, place..<seal), at: seal + 48)
        }
    }

    private static func checksum(_ bytes: [UInt8], _ range: Range<Int>) -> UInt32 {
        bytes.withUnsafeBytes { ckernel_crc32c(0, $0.baseAddress.map { $0 + range.lowerBound }, range.count) }
    }
}

/// Numbers that look random and follow from the first one.
private struct Random {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }

    mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(max(limit, 1))) }

    /// A number at a limit of something.
    mutating func limit() -> UInt32 {
        let limits: [UInt32] = [
            0, 1, 2, 7, 8, 9, 15, 16, 24, 0x7F, 0x80, 0xFF, 0x100, 0xFFFF, 0x1_0000, 0xFF_FFFF, 0x3FFF_FFFF,
            0x4000_0000,
            0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFF0, 0xFFFF_FFFE, 0xFFFF_FFFF,
        ]
        switch below(4) {
        case 0: return UInt32(truncatingIfNeeded: next())
        case 1: return UInt32(below(4096))
        default: return limits[below(limits.count)]
        }
    }

    /// The name of a box that means something.
    mutating func type() -> UInt32 {
        let names = [
            "moov", "trak", "mdia", "minf", "stbl", "stsd", "stts", "ctts", "stss", "stsc", "stsz", "stz2", "stco",
            "co64",
            "moof", "traf", "trun", "tfhd", "tfdt", "mfra", "tfra", "mdat", "uuid", "free", "udta", "meta", "edts",
            "elst",
            "avc1", "avcC", "mp4a", "esds", "mvex", "trex", "dref", "ilst",
        ]
        return HostileFile.code(names[below(names.count)])
    }
}
