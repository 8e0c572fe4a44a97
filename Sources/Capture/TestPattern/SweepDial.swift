import Glibc
import Pixels

/// A dial like a film leader's: rings and cross hairs, and a sweep that turns once a second with a fading tail.
struct SweepDial {
    private let diameter: Int
    /// The angle of each sample from the top, clockwise, 0…65535.
    private var angles: [UInt16] = []
    /// Rings and hairs: luma that the sweep does not go below.
    private var marks: [UInt8] = []
    /// The columns of each line that lie inside the outer ring.
    private var spans: [Range<Int>] = []
    /// The sweep's luma by the angle behind its hand, in 1/4096 of a turn.
    private var tail: [UInt8] = []

    /// - Parameters:
    ///   - diameter: samples.
    ///   - ground: luma around the dial.
    init(diameter: Int, ground: UInt8) {
        self.diameter = diameter
        let (centre, outer) = (Double(diameter) / 2, Double(diameter) / 2)
        let pen = max(1.2, Double(diameter) / 90)
        var mask = CoverageMask(width: diameter, height: diameter)
        mask.addDisc(x: centre, y: centre, radius: outer, hole: outer - pen * 1.6)
        mask.addDisc(x: centre, y: centre, radius: outer * 0.72, hole: outer * 0.72 - pen)
        mask.addDisc(x: centre, y: centre, radius: pen * 2)
        for (x1, y1, x2, y2) in [(0, centre, 2 * centre, centre), (centre, 0, centre, 2 * centre)] {
            mask.add(.line(x1, y1, x2, y2), scale: 1, x: 0, y: 0, pen: pen * 0.8)
        }
        marks = mask.samples.map { UInt8(Int(ground) + (205 - Int(ground)) * Int($0) / 255) }
        for y in 0..<diameter {
            let dy = Double(y) + 0.5 - centre
            let half = max(0, (outer - pen) * (outer - pen) - dy * dy).squareRoot()
            spans.append(Int((centre - half).rounded(.up))..<max(Int((centre - half).rounded(.up)), Int(centre + half)))
            for x in 0..<diameter {
                let turn = atan2(Double(x) + 0.5 - centre, -dy) / (2 * .pi)
                angles.append(UInt16(truncatingIfNeeded: Int(turn * 65536)))
            }
        }
        tail = (0..<4096).map { step in
            // The hand's own edge is softened; behind it the light fades over three quarters of a turn.
            let edge = min(Double(step) / 8, 1)
            let fade = max(0, 1 - Double(step) / 3072)
            return UInt8(44 + (200 - 44) * edge * fade * fade)
        }
    }

    /// Draws the dial.
    /// - Parameter turn: the hand's angle from the top, clockwise; 65536 is a whole turn.
    func draw(turn: UInt16, on canvas: LumaCanvas, x: Int, y: Int) {
        angles.withUnsafeBufferPointer { angles in
            marks.withUnsafeBufferPointer { marks in
                tail.withUnsafeBufferPointer { tail in
                    for row in 0..<diameter {
                        let line = canvas.line(y + row)
                        let start = row * diameter
                        for column in spans[row] {
                            let light = tail[Int((turn &- angles[start + column]) >> 4)]
                            line[x + column] = max(light, marks[start + column])
                        }
                    }
                }
            }
        }
    }

    /// Draws rings and hairs alone, around which the sweep is drawn later.
    func drawMarks(on canvas: LumaCanvas, x: Int, y: Int) {
        marks.withUnsafeBufferPointer { marks in
            guard let base = marks.baseAddress else { return }
            canvas.copy(base, to: Area(x: x, y: y, width: diameter, height: diameter))
        }
    }
}
