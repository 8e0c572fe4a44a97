import Pixels

/// Where the parts of the test picture lie. All numbers are even, so that chroma falls on the same edges.
struct PatternLayout {
    let width: Int
    let height: Int
    /// Columns at either side of the bars and of the ramp.
    let border: Int
    /// Colour bars.
    let bars: Area
    /// The grey ramp between black and white references.
    let ramp: Area
    /// The dark field with everything that moves; the whole of it is white in a flash.
    let panel: Area
    /// The dial whose sweep turns once a second.
    let dial: Area
    /// The line with name, size and rate.
    let label: Area
    /// The running time.
    let clock: Area
    /// The track on which the marker travels.
    let track: Area

    /// - Parameters:
    ///   - width: even, 160 or greater.
    ///   - height: even, 120 or greater.
    init(width: Int, height: Int) {
        self.width = width
        self.height = height
        border = Self.even(width / 8)
        let stripHeight = FrameNumberStrip.height(ofPicture: height)
        bars = Area(x: 0, y: 0, width: width, height: Self.even(height * 46 / 100))
        ramp = Area(x: 0, y: bars.maxY, width: width, height: Self.even(height * 7 / 100))
        panel = Area(x: 0, y: ramp.maxY, width: width, height: height - stripHeight - ramp.maxY)

        let margin = max(4, Self.even(min(panel.height / 10, width / 40)))
        let diameter = Self.even(min(panel.height - 2 * margin, width * 26 / 100))
        dial = Area(x: margin, y: Self.even(panel.y + (panel.height - diameter) / 2), width: diameter, height: diameter)

        let left = dial.maxX + margin
        let columnWidth = width - left - margin
        let (labelHeight, trackHeight) = (max(6, Self.even(diameter / 9)), max(4, Self.even(diameter / 12)))
        label = Area(x: left, y: dial.y, width: columnWidth, height: labelHeight)
        track = Area(x: left, y: dial.maxY - trackHeight, width: columnWidth, height: trackHeight)
        let gap = max(2, Self.even(diameter / 12))
        let (top, bottom) = (label.maxY + gap, track.y - gap)
        clock = Area(x: left, y: top, width: columnWidth, height: bottom - top)
    }

    private static func even(_ value: Int) -> Int { value / 2 * 2 }
}
