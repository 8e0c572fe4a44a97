import CKernel
import Testing

@Suite("CRC-32C")
struct ChecksumTests {
    private func checksum(_ bytes: [UInt8], from start: UInt32 = 0) -> UInt32 {
        bytes.withUnsafeBytes { ckernel_crc32c(start, $0.baseAddress, $0.count) }
    }

    @Test("gives the values of RFC 3720, B.4, and of the nine digits")
    func vectors() {
        #expect(checksum([UInt8](repeating: 0, count: 32)) == 0x8A91_36AA)
        #expect(checksum([UInt8](repeating: 0xFF, count: 32)) == 0x62A8_AB43)
        #expect(checksum((0..<32).map { UInt8($0) }) == 0x46DD_794E)
        #expect(checksum((0..<32).map { UInt8(31 - $0) }) == 0x113F_DB5C)
        #expect(checksum(Array("123456789".utf8)) == 0xE306_9283)
        #expect(checksum([]) == 0)
    }

    @Test("by instruction and by tables it is the same, at every length and alignment")
    func agreement() {
        var generator = NumberSequence(seed: 3)
        let bytes = (0..<20_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let lengths = Array(0..<70) + [1023, 1024, 3071, 3072, 3073, 6144, 9999, 19_990]
        bytes.withUnsafeBytes { buffer in
            for length in lengths {
                for start in 0..<9 {
                    let place = buffer.baseAddress.map { $0 + start }
                    #expect(ckernel_crc32c(77, place, length) == ckernel_crc32c_by_tables(77, place, length))
                }
            }
        }
    }

    @Test("runs of bytes can follow one another, and be put together from their own checksums")
    func parts() {
        var generator = NumberSequence(seed: 5)
        let bytes = (0..<9000).map { _ in UInt8.random(in: 0...255, using: &generator) }
        for cut in [0, 1, 8, 4095, 8999, 9000] {
            let (first, second) = (Array(bytes[..<cut]), Array(bytes[cut...]))
            #expect(checksum(second, from: checksum(first)) == checksum(bytes))
            #expect(ckernel_crc32c_combine(checksum(first), checksum(second), UInt64(second.count)) == checksum(bytes))
        }
    }

    @Test("a copy with its checksum is a copy, and has the same checksum")
    func copies() {
        var generator = NumberSequence(seed: 6)
        let bytes = (0..<10_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
        for length in [0, 1, 7, 8, 9, 3071, 3072, 3085, 9997] {
            for start in 0..<3 {
                var copy = [UInt8](repeating: 0xAA, count: length + 2)
                let result = bytes.withUnsafeBytes { from in
                    copy.withUnsafeMutableBytes { to in
                        ckernel_crc32c_copy(
                            5, to.baseAddress.map { $0 + 1 }, from.baseAddress.map { $0 + start }, length)
                    }
                }
                let source = Array(bytes[start..<(start + length)])
                #expect(result == checksum(source, from: 5))
                #expect(copy == [0xAA] + source + [0xAA])
            }
        }
    }
}
