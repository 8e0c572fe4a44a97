/// The four characters that name a box, a brand, a handler or a sample entry (ISO/IEC 14496-12, 4.2).
struct BoxType: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The characters, the first one in the highest byte.
    let code: UInt32

    init(_ code: UInt32) {
        self.code = code
    }

    /// - Parameter value: four characters below U+0100, as in "moov" or "©nam"; missing ones count as spaces.
    init(stringLiteral value: StaticString) {
        // Names are met many times a second; nearly all are four bytes that can be taken as they stand.
        if value.hasPointerRepresentation, value.utf8CodeUnitCount == 4 {
            code = UInt32(bigEndian: UnsafeRawPointer(value.utf8Start).loadUnaligned(as: UInt32.self))
            return
        }
        var code: UInt32 = 0
        var count = 0
        for scalar in String(describing: value).unicodeScalars.prefix(4) {
            code = code << 8 | (scalar.value & 0xFF)
            count += 1
        }
        while count < 4 {
            code = code << 8 | 0x20
            count += 1
        }
        self.code = code
    }

    /// True when a person could have chosen the four characters: letters, digits, signs, spaces behind, or the copyright
    /// sign that Apple puts in front.
    var isPlausible: Bool {
        (0..<4).allSatisfy { index in
            let byte = UInt8(truncatingIfNeeded: code >> UInt32(24 - 8 * index))
            return (0x20...0x7E).contains(byte) || (byte == 0xA9 && index == 0)
        }
    }

    /// The characters, or the number where they cannot be shown.
    var description: String {
        guard isPlausible else { return "0x" + String(code, radix: 16) }
        var text = ""
        for index in 0..<4 {
            let byte = UInt8(truncatingIfNeeded: code >> UInt32(24 - 8 * index))
            text.unicodeScalars.append(Unicode.Scalar(byte))
        }
        return text
    }
}

extension BoxType {
    static let uuid: BoxType = "uuid"
}
