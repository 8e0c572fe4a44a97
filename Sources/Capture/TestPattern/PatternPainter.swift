import Glibc
import Media
import Pixels

/// Paints the test picture: once wholly into each frame, and then the parts that move.
struct PatternPainter {
    private static let ground: UInt8 = 22
    private let format: VideoFormat
    private let layout: PatternLayout
    private let schedule: FlashSchedule
    private let dial: SweepDial
    private let digits: GlyphSheet
    private let dimDigits: GlyphSheet
    private let flashDigits: GlyphSheet
    private let frameDigits: Int
    private let lampColor: SampleValue
    private var lampChroma = CoverageMask(width: 0, height: 0)
    /// The panel's luma without what moves, to wipe a flash away.
    private var panel: [UInt8] = []

    init(format: VideoFormat) {
        self.format = format
        layout = PatternLayout(width: format.width, height: format.height)
        schedule = FlashSchedule(rate: format.rate)
        dial = SweepDial(diameter: layout.dial.width, ground: Self.ground)
        lampColor = SampleValue(red: 0.9, green: 0.08, blue: 0.08, color: format.color)
        frameDigits = "\(max(Int(format.rate.perSecond.rounded(.up)) - 1, 10))".utf8.count
        let height = Self.height(ofText: Self.clockTemplate(frameDigits), in: layout.clock)
        digits = GlyphSheet("0123456789:", height: height, foreground: 235, background: Self.ground)
        dimDigits = GlyphSheet("0123456789:", height: height, foreground: 150, background: Self.ground)
        flashDigits = GlyphSheet("0123456789:", height: height, foreground: 16, background: 235)
        lampChroma = lampMask(scale: 2)
        panel = paintPanel()
    }

    // MARK: What stands still

    /// Paints everything that does not move.
    func paintGround(_ frame: VideoFrame) {
        let luma = LumaCanvas(frame.planes[0], width: format.width)
        fillChroma(
            frame, Area(x: 0, y: 0, width: format.width, height: format.height), SampleValue(y: 0, cb: 128, cr: 128))
        paintBars(frame, luma)
        paintRamp(luma)
        wipePanel(luma)
        paintLamp(frame, isLit: true)
    }

    /// Bars at 75 % between grey borders, as in the upper part of SMPTE RP 219.
    private func paintBars(_ frame: VideoFrame, _ luma: LumaCanvas) {
        let grey = SampleValue(red: 0.4, green: 0.4, blue: 0.4, color: format.color)
        let (area, border) = (layout.bars, layout.border)
        luma.fill(area, with: grey.y)
        let barsWidth = area.width - 2 * border
        // White, yellow, cyan, green, magenta, red, blue: bit 2 is red, bit 1 green, bit 0 blue.
        let colors: [Int] = [7, 6, 3, 2, 5, 4, 1]
        for (index, color) in colors.enumerated() {
            let left = border + barsWidth * index / colors.count / 2 * 2
            let right = border + barsWidth * (index + 1) / colors.count / 2 * 2
            func level(_ bit: Int) -> Double { color & bit != 0 ? 0.75 : 0 }
            let value = SampleValue(red: level(4), green: level(2), blue: level(1), color: format.color)
            let bar = Area(x: left, y: area.y, width: right - left, height: area.height)
            luma.fill(bar, with: value.y)
            fillChroma(frame, bar, value)
        }
    }

    /// Black with its neighbours at -2, 2 and 4 %, a ramp from black to white, white.
    private func paintRamp(_ luma: LumaCanvas) {
        let (area, border) = (layout.ramp, layout.border)
        luma.fill(area, with: 16)
        let step = border / 4
        let neighbours: [UInt8] = [12, 20, 25]
        for (index, value) in neighbours.enumerated() {
            let left = step / 2 + index * (step + step / 8)
            luma.fill(Area(x: left, y: area.y, width: step, height: area.height), with: value)
        }
        luma.fill(Area(x: layout.width - border, y: area.y, width: border, height: area.height), with: 235)
        let width = layout.width - 2 * border
        for y in area.y..<area.maxY {
            let line = luma.line(y)
            for x in 0..<width { line[border + x] = UInt8(16 + (219 * x + width / 2) / (width - 1)) }
        }
    }

    private func paintPanel() -> [UInt8] {
        var samples = [UInt8](repeating: Self.ground, count: layout.width * layout.panel.height)
        samples.withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            let plane = VideoFrame.Plane(base: base, bytesPerLine: layout.width, lines: layout.panel.height)
            let canvas = LumaCanvas(plane, width: layout.width)
            dial.drawMarks(on: canvas, x: layout.dial.x, y: layout.dial.y - layout.panel.y)
            let label = layout.label
            let letters = GlyphSheet(
                "KINEBOX0123456789x@. ", height: label.height, foreground: 200, background: Self.ground)
            let size = "\(layout.width)x\(layout.height) @ \(format.rate)"
            let y = label.y - layout.panel.y
            letters.draw("KINEBOX", on: canvas, x: lamp.maxX + label.height / 4, y: y)
            letters.draw(size, on: canvas, x: label.maxX - letters.width(of: size), y: y)
            canvas.mix(lampColor.y, through: lampMask(scale: 1), x: lamp.x, y: lamp.y - layout.panel.y)
        }
        return samples
    }

    // MARK: What moves

    /// Draws what moves into a frame that was painted before.
    /// - Parameters:
    ///   - frame: a frame after `paintGround`.
    ///   - number: the number that the frame shows.
    ///   - wasFlash: whether the frame's memory holds a flash.
    func paintMotion(_ frame: VideoFrame, number: Int64, wasFlash: Bool) {
        let luma = LumaCanvas(frame.planes[0], width: format.width)
        let isFlash = schedule.isFlash(frame: number)
        if isFlash {
            luma.fill(layout.panel, with: 235)
            paintLamp(frame, isLit: false)
        } else {
            if wasFlash {
                wipePanel(luma)
                paintLamp(frame, isLit: true)
            }
            dial.draw(turn: turn(number), on: luma, x: layout.dial.x, y: layout.dial.y)
            paintMarker(luma, number)
        }
        paintClock(luma, number, isFlash: isFlash)
        FrameNumberStrip.draw(UInt32(truncatingIfNeeded: number), on: luma)
    }

    /// The part of a second that has passed, 65536 for a whole one.
    private func turn(_ number: Int64) -> UInt16 {
        UInt16(truncatingIfNeeded: rescale(number, by: format.rate.denominator << 16, over: format.rate.numerator))
    }

    private func wipePanel(_ luma: LumaCanvas) {
        panel.withUnsafeBufferPointer { samples in
            guard let base = samples.baseAddress else { return }
            luma.copy(base, to: layout.panel)
        }
    }

    /// The marker crosses its track once in two seconds, in equal steps, and moves in each frame at low rates too.
    private func paintMarker(_ luma: LumaCanvas, _ number: Int64) {
        let track = layout.track
        luma.fill(track, with: 44)
        let steps = max(8, Int64((format.rate.perSecond * 2).rounded()))
        let width = max(8, track.width / 16)
        // In 1/256 of a sample, so that steps look equal where they are no whole number of samples.
        let place = Int((number % steps) * Int64(track.width - width) * 256 / (steps - 1))
        let (x, part) = (track.x + place / 256, place % 256)
        luma.fill(Area(x: x + 1, y: track.y, width: width - 1, height: track.height), with: 235)
        func mixed(_ coverage: Int) -> UInt8 { UInt8(44 + (235 - 44) * coverage / 256) }
        luma.fill(Area(x: x, y: track.y, width: 1, height: track.height), with: mixed(256 - part))
        if part > 0 {
            luma.fill(Area(x: x + width, y: track.y, width: 1, height: track.height), with: mixed(part))
        }
    }

    /// Hours, minutes, seconds, and the frame within the second.
    private func paintClock(_ luma: LumaCanvas, _ number: Int64, isFlash: Bool) {
        let seconds = schedule.second(ofFrame: number)
        let frame = number - schedule.frame(ofSecond: seconds)
        let hours = seconds / 3600 % 100
        let bright = isFlash ? flashDigits : digits
        let dim = isFlash ? flashDigits : dimDigits
        let (digit, colon) = (bright.width(of: UInt8(ascii: "0")), bright.width(of: UInt8(ascii: ":")))
        let count = (hours > 9 ? 6 : 5) + frameDigits
        let y = layout.clock.y + (layout.clock.height - bright.height) / 2
        if !isFlash {
            luma.fill(
                Area(x: layout.clock.x, y: y, width: layout.clock.width, height: bright.height), with: Self.ground)
        }
        var x = layout.clock.x + (layout.clock.width - count * digit - 3 * colon) / 2
        func put(_ value: Int64, _ places: Int, _ sheet: GlyphSheet) {
            var divisor: Int64 = 1
            for _ in 1..<max(places, 1) { divisor *= 10 }
            while divisor > 0 {
                x = sheet.draw(UInt8(ascii: "0") + UInt8(value / divisor % 10), on: luma, x: x, y: y)
                divisor /= 10
            }
        }
        put(hours, hours > 9 ? 2 : 1, bright)
        x = bright.draw(UInt8(ascii: ":"), on: luma, x: x, y: y)
        put(seconds / 60 % 60, 2, bright)
        x = bright.draw(UInt8(ascii: ":"), on: luma, x: x, y: y)
        put(seconds % 60, 2, bright)
        x = dim.draw(UInt8(ascii: ":"), on: luma, x: x, y: y)
        put(frame, frameDigits, dim)
    }

    // MARK: Parts

    private static func clockTemplate(_ frameDigits: Int) -> String {
        "00:00:00:" + String(repeating: "0", count: frameDigits)
    }

    /// The greatest height at which a text fits into an area.
    private static func height(ofText text: String, in area: Area) -> Int {
        let trial = GlyphSheet("0:", height: 100, foreground: 255, background: 0)
        return min(area.height, max(8, area.width * 98 / trial.width(of: text)))
    }

    private var lamp: Area {
        let size = layout.label.height / 2 * 2
        return Area(x: layout.label.x, y: layout.label.y, width: size, height: size)
    }

    /// The lamp's disc in a plane of its size divided by `scale`.
    private func lampMask(scale: Int) -> CoverageMask {
        var mask = CoverageMask(width: lamp.width / scale, height: lamp.height / scale)
        let radius = Double(mask.width) / 2
        mask.addDisc(x: radius, y: radius, radius: radius)
        return mask
    }

    /// The red lamp's chroma; its luma is a part of the panel.
    private func paintLamp(_ frame: VideoFrame, isLit: Bool) {
        for y in 0..<lampChroma.height {
            for x in 0..<lampChroma.width {
                let coverage = isLit ? Int(lampChroma.samples[y * lampChroma.width + x]) : 0
                let value = SampleValue(
                    y: 0, cb: UInt8(128 + (Int(lampColor.cb) - 128) * coverage / 255),
                    cr: UInt8(128 + (Int(lampColor.cr) - 128) * coverage / 255))
                fillChroma(frame, Area(x: lamp.x + 2 * x, y: lamp.y + 2 * y, width: 2, height: 2), value)
            }
        }
    }

    private func fillChroma(_ frame: VideoFrame, _ area: Area, _ value: SampleValue) {
        let half = area.halved
        if format.pixelFormat == .yuv420 {
            LumaCanvas(frame.planes[1], width: format.width / 2).fill(half, with: value.cb)
            LumaCanvas(frame.planes[2], width: format.width / 2).fill(half, with: value.cr)
            return
        }
        let chroma = LumaCanvas(frame.planes[1], width: format.width)
        for y in half.y..<half.maxY {
            let line = chroma.line(y)
            for x in half.x..<half.maxX {
                line[2 * x] = value.cb
                line[2 * x + 1] = value.cr
            }
        }
    }
}
