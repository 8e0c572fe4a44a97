import Capture
import Media
import Pixels
import Testing

@Suite("Frame number strip")
struct FrameNumberStripTests {
    private static let numbers: [UInt32] = [0, 1, 2, 255, 256, 65_535, 1_234_567, 0x5555_5555, 0xAAAA_AAAA, .max]

    private func drawn(_ number: UInt32, width: Int, height: Int) -> [UInt8] {
        var picture = [UInt8](repeating: 90, count: width * height)
        picture.withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            let plane = VideoFrame.Plane(base: base, bytesPerLine: width, lines: height)
            FrameNumberStrip.draw(number, on: LumaCanvas(plane, width: width))
        }
        return picture
    }

    @Test("every number comes back", arguments: [(160, 120), (176, 144), (1366, 768), (1920, 1080), (720, 1280)])
    func roundTrip(width: Int, height: Int) {
        for number in Self.numbers {
            let picture = drawn(number, width: width, height: height)
            #expect(FrameNumberStrip.read(picture, bytesPerLine: width, width: width, height: height) == number)
        }
    }

    @Test("noise and weak contrast do not hurt, as encoders leave them")
    func noise() {
        var generator = SystemRandomNumberGenerator()
        for number in Self.numbers {
            let picture = drawn(number, width: 160, height: 120).map { sample -> UInt8 in
                UInt8(clamping: 40 + Int(sample) * 6 / 10 + Int.random(in: -30...30, using: &generator))
            }
            #expect(FrameNumberStrip.read(picture, bytesPerLine: 160, width: 160, height: 120) == number)
        }
    }

    @Test("one block turned over is noticed")
    func damage() {
        let intact = drawn(1_234_567, width: 160, height: 120)
        for block in 0..<40 {
            var picture = intact
            for y in 0..<8 {
                for x in 0..<8 {
                    let place = (104 + block / 20 * 8 + y) * 160 + block % 20 * 8 + x
                    picture[place] = 251 - picture[place]
                }
            }
            #expect(FrameNumberStrip.read(picture, bytesPerLine: 160, width: 160, height: 120) == nil)
        }
    }

    @Test("a picture without a strip has no number", arguments: [0, 16, 128, 235, 255] as [UInt8])
    func noStrip(value: UInt8) {
        let picture = [UInt8](repeating: value, count: 160 * 120)
        #expect(FrameNumberStrip.read(picture, bytesPerLine: 160, width: 160, height: 120) == nil)
    }
}
