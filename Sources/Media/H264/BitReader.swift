/// Reads the bit fields of a NAL unit (Rec. ITU-T H.264, 7.2 and 9.1), passing over emulation prevention bytes.
///
/// The bytes may come from anywhere: reading past their end throws, and no number is longer than 32 bits.
struct BitReader {
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0
    private var zeros = 0
    private var current: UInt8 = 0
    private var left = 0
    /// Bits read so far, emulation prevention bytes not counted.
    private(set) var position = 0

    /// - Parameter bytes: must stay in place for as long as the reader is used.
    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// u(1).
    mutating func flag() throws(Failure) -> Bool { try bit() == 1 }

    /// u(n), n at most 32.
    mutating func bits(_ count: Int) throws(Failure) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<count { value = value << 1 | UInt32(try bit()) }
        return value
    }

    /// ue(v), at most 2³² − 2.
    mutating func unsigned() throws(Failure) -> UInt32 {
        var length = 0
        while try bit() == 0 {
            length += 1
            if length > 31 { throw BitReader.damage("a number is longer than 32 bits") }
        }
        return (1 << UInt32(length)) - 1 + (try bits(length))
    }

    /// ue(v) that the standard limits.
    mutating func unsigned(upTo limit: UInt32, _ name: String) throws(Failure) -> Int {
        let value = try unsigned()
        guard value <= limit else { throw BitReader.damage("\(name) is \(value), more than \(limit)") }
        return Int(value)
    }

    /// se(v).
    mutating func signed() throws(Failure) -> Int32 {
        let code = Int64(try unsigned())
        return Int32(code & 1 == 1 ? (code + 1) / 2 : -(code / 2))
    }

    /// more_rbsp_data( ): whether a set bit follows behind the next bit, which could be the stop bit.
    func hasMoreData() -> Bool {
        var ahead = self
        guard (try? ahead.bit()) != nil else { return false }
        while let next = try? ahead.bit() {
            if next == 1 { return true }
        }
        return false
    }

    private mutating func bit() throws(Failure) -> UInt8 {
        if left == 0 { try load() }
        left -= 1
        position += 1
        return current >> UInt8(left) & 1
    }

    private mutating func load() throws(Failure) {
        if zeros >= 2, offset < bytes.count, bytes[offset] == 3 {
            offset += 1
            zeros = 0
        }
        guard offset < bytes.count else { throw BitReader.damage("it ends too early") }
        current = bytes[offset]
        offset += 1
        zeros = current == 0 ? zeros + 1 : 0
        left = 8
    }

    /// Reads a NAL unit of a given kind from behind its header byte.
    /// - Throws: `Failure` of kind damaged when it is another kind, and what `body` throws.
    static func read<Value>(
        _ nal: [UInt8], of kind: NALUnit.Kind, _ name: String, _ body: (inout BitReader) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let result: Result<Value, Failure> = nal.withUnsafeBytes { bytes in
            guard let unit = NALUnit(bytes), unit.kind == kind else { return .failure(damage("it is no \(name)")) }
            var reader = BitReader(UnsafeRawBufferPointer(rebasing: bytes[1...]))
            do throws(Failure) {
                return .success(try body(&reader))
            } catch {
                return .failure(Failure(error.kind, "cannot read the \(name)", because: error.cause))
            }
        }
        return try result.get()
    }

    /// The failure of a reader that met something that cannot be.
    static func damage(_ cause: String) -> Failure {
        Failure(.damaged, "cannot read an H.264 header", because: cause)
    }
}
