import Media
import Testing
import V4L2

@Suite("EDID")
struct EDIDTests {
    /// A block whose bytes sum up to 0.
    private func block(_ start: [UInt8], at place: [Int: UInt8] = [:]) -> [UInt8] {
        var bytes = start + [UInt8](repeating: 0, count: 128 - start.count)
        for (index, value) in place { bytes[index] = value }
        bytes[127] = 0 &- bytes[..<127].reduce(0, &+)
        return bytes
    }

    private let header: [UInt8] = [0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0]

    private func refusal(_ bytes: [UInt8]) -> Failure? {
        do throws(Failure) {
            _ = try EDID(bytes, named: "/etc/kinebox/input.edid")
            return nil
        } catch {
            return error
        }
    }

    @Test("blocks that are whole are taken as they are")
    func whole() throws {
        let one = block(header)
        #expect(try EDID(one, named: "one").bytes == one)
        let two = block(header, at: [126: 1]) + block([2, 3])
        #expect(try EDID(two, named: "two").blockCount == 2)
    }

    @Test("what is none is refused with its name and the reason")
    func refused() {
        var damaged = block(header)
        damaged[50] ^= 1
        let cases: [([UInt8], String)] = [
            ([], "does not begin as one"), (block([1, 2, 3]), "does not begin as one"),
            (Array(block(header).dropLast()), "does not begin as one"), (damaged, "checksum of its block 0"),
            (block(header, at: [126: 1]), "has 256 bytes and has 128"), (block(header) + [0], "has 129"),
            (block(header, at: [126: 1]) + [UInt8](repeating: 1, count: 128), "checksum of its block 1"),
        ]
        // 128 times 1 is a sum of 128, not of 0.
        for (bytes, reason) in cases {
            let failure = refusal(bytes)
            #expect(failure?.kind == .invalidValue)
            #expect(failure?.cause.contains(reason) == true, "\(reason): \(failure?.cause ?? "taken")")
            #expect(failure?.thing.contains("/etc/kinebox/input.edid") == true)
        }
    }

    @Test("a driver that writes a CEC address into it has it still; one that has another has not")
    func kept() throws {
        let bytes = block(header, at: [126: 1]) + block([2, 3, 20], at: [10: 0x10])
        let edid = try EDID(bytes, named: "two")
        #expect(edid.isKept(in: bytes))
        var addressed = bytes
        (addressed[128 + 10], addressed[255]) = (0x20, bytes[255] &- 0x10)
        #expect(edid.isKept(in: addressed))
        var other = bytes
        (other[12], other[127]) = (7, bytes[127] &- 7)
        #expect(!edid.isKept(in: other))
        #expect(!edid.isKept(in: Array(bytes.prefix(128))))
        #expect(!edid.isKept(in: []))
    }
}
