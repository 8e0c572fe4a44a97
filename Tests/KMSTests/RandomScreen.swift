import Judges
import KMS
import Media

/// Screens as they could be, by chance.
struct RandomScreen {
    var random: Xorshift

    init(seed: UInt64) {
        random = Xorshift(state: seed)
    }

    mutating func mode() -> ScreenMode {
        ScreenMode(
            connector: ["HDMI-A-1", "Virtual-1", "DP-12", "Composite-1"][random.below(4)],
            width: 1 + random.below(65535),
            height: 1 + random.below(65535),
            refresh: FrameRate(Int64(1001 + random.below(240_000)), 1001) ?? .thirty, hasBlanks: random.below(2) == 0)
    }

    mutating func state() -> ScreenState {
        switch random.below(8) {
        case 0: .off
        case 1: .unplugged
        case 2: .absent
        default: .lit(mode())
        }
    }

    mutating func plane(buffers: Int) -> ScreenPlane {
        var plane = ScreenPlane()
        plane.id = UInt32(truncatingIfNeeded: random.below(.max))
        plane.kind = [.overlay, .primary, .cursor][random.below(3)]
        plane.blend = [.premultiplied, .coverage, .none][random.below(3)]
        plane.matrix = [1, 6, 9][random.below(3)]
        plane.isFullRange = random.below(2) == 0
        plane.depth = random.below(255) - 3
        plane.framebuffer = UInt32(truncatingIfNeeded: random.below(.max))
        (plane.width, plane.height) = (1 + random.below(65535), 1 + random.below(65535))
        plane.fourcc = UInt32(truncatingIfNeeded: random.below(.max))
        plane.modifier = UInt64(random.below(.max))
        plane.rotation = 1 << UInt32(random.below(4)) | UInt32(random.below(4)) << 4
        (plane.sourceX, plane.sourceWidth) = part(of: plane.width)
        (plane.sourceY, plane.sourceHeight) = part(of: plane.height)
        (plane.x, plane.y) = (random.below(9000) - 4000, random.below(9000) - 4000)
        (plane.targetWidth, plane.targetHeight) = (1 + random.below(65535), 1 + random.below(65535))
        plane.alpha = UInt16(random.below(65536))
        for _ in 0...random.below(4) {
            plane.pieces.append(
                .init(buffer: random.below(buffers), offset: random.below(1 << 32), bytesPerLine: random.below(1 << 32))
            )
        }
        return plane
    }

    private mutating func part(of extent: Int) -> (UInt32, UInt32) {
        let length = 1 + random.below(extent << 16)
        return (UInt32(random.below((extent << 16) - length + 1)), UInt32(length))
    }
}
