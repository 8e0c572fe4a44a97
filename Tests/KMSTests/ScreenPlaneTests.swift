import KMS
import Testing

@Suite("The pieces of a framebuffer")
struct ScreenPlaneTests {
    @Test("pieces come back in the order in which they were added")
    func order() {
        var pieces = ScreenPlane.Pieces()
        #expect(pieces.isEmpty)
        for number in 0..<4 { pieces.append(.init(buffer: number, offset: 10 * number, bytesPerLine: 64)) }
        #expect(pieces.map(\.buffer) == [0, 1, 2, 3])
        #expect(pieces.map(\.offset) == [0, 10, 20, 30])
        pieces[2].bytesPerLine = 128
        #expect(pieces[2].bytesPerLine == 128)
    }

    @Test("what lies behind the last piece makes no difference")
    func equality() {
        var one = ScreenPlane.Pieces()
        var other = ScreenPlane.Pieces()
        one.append(.init(buffer: 0, offset: 0, bytesPerLine: 64))
        other.append(.init(buffer: 0, offset: 0, bytesPerLine: 64))
        #expect(one == other)
        other.append(.init(buffer: 0, offset: 0, bytesPerLine: 64))
        #expect(one != other)
    }
}
