import Glibc
import Linux
import Media
import Testing

@testable import MP4

@Suite("A box header")
struct ReadingBoxHeaderTests {
    @Test("is read with 32-bit, 64-bit and open sizes, and with a user type")
    func shapes() throws {
        try withFile([0, 0, 0, 12, 0x66, 0x72, 0x65, 0x65, 1, 2, 3, 4]) { window in
            let box = try BoxHeader.read(window, at: 0, limit: 12)
            #expect(box.type == "free" && box.size == 12 && box.payload == 8 && box.end == 12)
        }
        try withFile([0, 0, 0, 1, 0x6D, 0x64, 0x61, 0x74, 0, 0, 0, 0, 0, 0, 0, 18, 9, 9]) { window in
            let box = try BoxHeader.read(window, at: 0, limit: 18)
            #expect(box.type == "mdat" && box.headerSize == 16 && box.payloadSize == 2)
        }
        try withFile([0, 0, 0, 0, 0x6D, 0x64, 0x61, 0x74, 9, 9, 9]) { window in
            let open = try BoxHeader.read(window, at: 0, limit: 11, openEnded: true)
            #expect(open.size == 11)
            #expect(throws: BoxFault.tooSmall("mdat", offset: 0, size: 0)) {
                try BoxHeader.read(window, at: 0, limit: 11)
            }
        }
        try withFile([0, 0, 0, 24, 0x75, 0x75, 0x69, 0x64] + [UInt8](1...16)) { window in
            let box = try BoxHeader.read(window, at: 0, limit: 24)
            #expect(box.userType == Identifier(high: 0x0102_0304_0506_0708, low: 0x090A_0B0C_0D0E_0F10))
            #expect(box.headerSize == 24 && box.payloadSize == 0)
        }
    }

    @Test("never reaches beyond what encloses it, whatever size it gives")
    func limits() throws {
        let large: [UInt8] = [0, 0, 0, 1, 0x6D, 0x64, 0x61, 0x74] + [UInt8](repeating: 0xFF, count: 8)
        try withFile(large) { window in
            #expect(throws: BoxFault.tooLarge("mdat", offset: 0, size: .max, limit: 16)) {
                try BoxHeader.read(window, at: 0, limit: 16)
            }
        }
        try withFile([0, 0, 0, 7, 0x66, 0x72, 0x65, 0x65]) { window in
            #expect(throws: BoxFault.tooSmall("free", offset: 0, size: 7)) {
                try BoxHeader.read(window, at: 0, limit: 8)
            }
            #expect(throws: BoxFault.cutHeader(offset: 4, left: 4)) { try BoxHeader.read(window, at: 4, limit: 8) }
            #expect(throws: BoxFault.cutHeader(offset: 9, left: 0)) { try BoxHeader.read(window, at: 9, limit: 8) }
            #expect(throws: BoxFault.unreadable(offset: 8, nil)) { try BoxHeader.read(window, at: 8, limit: 40) }
        }
        try withFile([0, 0, 0, 20, 0x75, 0x75, 0x69, 0x64] + [UInt8](1...16)) { window in
            #expect(throws: BoxFault.tooSmall(.uuid, offset: 0, size: 20)) {
                try BoxHeader.read(window, at: 0, limit: 24)
            }
        }
    }

    @Test("names its type so that a person can read it")
    func names() {
        #expect(BoxType("moov").description == "moov")
        #expect(BoxType("url").description == "url ")
        #expect(BoxType("©nam").code == 0xA96E_616D)
        #expect(BoxType(0x0000_0001).description == "0x1")
        #expect(!BoxType(0x0000_0001).isPlausible)
    }

    @Test("a window shows any part of a file larger than itself")
    func window() throws {
        let content = (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        try withFile(content, capacity: 128) { window in
            for offset in [0, 4990, 100, 227, 228, 4000, 1, 4872] {
                let found = try window.bytes(at: Int64(offset), count: 128)
                #expect(Array(found) == Array(content[offset..<min(offset + 128, 5000)]))
            }
            #expect(try window.bytes(at: 5000, count: 1).isEmpty)
            #expect(try window.bytes(at: .max, count: 1).isEmpty)
            #expect(try window.bytes(at: -1, count: 1).isEmpty)
        }
    }
}

/// Shows bytes as a file.
func withFile(_ bytes: [UInt8], capacity: Int = 64 << 10, _ body: (FileWindow) throws -> Void) throws {
    try withTemporaryFile { path in
        let file = try FileDescriptor.open(path, O_RDWR)
        try bytes.withUnsafeBytes { try file.write($0, at: 0) }
        try body(FileWindow(file.raw, capacity: capacity))
    }
}

/// Makes an empty file, which is removed afterwards.
func withTemporaryFile(_ body: (String) throws -> Void) throws {
    var template = Array("/tmp/kinebox-test-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    try #require(descriptor >= 0, "the folder /tmp takes no file")
    close(descriptor)
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { unlink(path) }
    try body(path)
}
