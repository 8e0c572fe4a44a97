import Media
import Pixels
import Testing

@Suite("Code values of colours")
struct SampleValueTests {
    @Test("75 % bars have the values that everybody knows")
    func bars() {
        func value(_ r: Double, _ g: Double, _ b: Double, _ color: ColorDescription) -> SampleValue {
            SampleValue(red: r * 0.75, green: g * 0.75, blue: b * 0.75, color: color)
        }
        #expect(value(1, 1, 1, .bt709) == SampleValue(y: 180, cb: 128, cr: 128))
        #expect(value(1, 1, 0, .bt709) == SampleValue(y: 168, cb: 44, cr: 136))
        #expect(value(0, 0, 1, .bt709) == SampleValue(y: 28, cb: 212, cr: 120))
        #expect(value(1, 1, 0, .bt601) == SampleValue(y: 162, cb: 44, cr: 142))
        #expect(value(1, 0, 0, .bt601) == SampleValue(y: 65, cb: 100, cr: 212))
    }

    @Test("black and white reach the ends of their range")
    func ends() {
        let full = ColorDescription(primaries: 1, transfer: 1, matrix: 1, isFullRange: true)
        #expect(SampleValue(red: 1, green: 1, blue: 1, color: .bt709).y == 235)
        #expect(SampleValue(red: 0, green: 0, blue: 0, color: .bt709).y == 16)
        #expect(SampleValue(red: 1, green: 1, blue: 1, color: full).y == 255)
        #expect(SampleValue(red: 0, green: 0, blue: 0, color: full).y == 0)
    }
}
