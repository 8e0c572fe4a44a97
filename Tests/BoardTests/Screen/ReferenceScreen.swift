/// What a screen shows, pixel by pixel, in the plainest way: docs/screen.md, "How planes are put together".
struct ReferenceScreen {
    struct Plane {
        var x = 0
        var y = 0
        /// On the screen.
        var width: Int
        var height: Int
        /// Counter-clockwise, in degrees: 0, 90, 180 or 270.
        var rotation = 0
        /// Mirrored before that, left and right or top and bottom.
        var isMirrored = false
        var isFlipped = false
        var blend = ShownColour.Blend.premultiplied
        var alpha = 65535
        /// The part of the framebuffer that it shows, in 1/65536 of its pixels; nil for as many as there are on the screen.
        var part: Part?
        /// The pixel of the framebuffer.
        var pixel: (_ x: Int, _ y: Int) -> ShownColour

        /// The pixel that it shows at a place of its own part of the screen.
        func shown(_ x: Int, _ y: Int) -> ShownColour {
            var (u, v) =
                switch rotation {
                case 90: (height - 1 - y, x)
                case 180: (width - 1 - x, height - 1 - y)
                case 270: (y, width - 1 - x)
                default: (x, y)
                }
            let (across, down) = rotation % 180 == 0 ? (width, height) : (height, width)
            if isMirrored { u = across - 1 - u }
            if isFlipped { v = down - 1 - v }
            guard let part else { return pixel(u, v) }
            return pixel(
                Part.index(u, of: across, from: part.x, part.width), Part.index(v, of: down, from: part.y, part.height))
        }
    }

    /// A part of a framebuffer, in 1/65536 of its pixels.
    struct Part {
        var x = 0
        var y = 0
        var width: Int
        var height: Int

        /// The pixel that contains the middle of one of `count` pixels over which the part is spread.
        static func index(_ place: Int, of count: Int, from start: Int, _ length: Int) -> Int {
            (start + (2 * place + 1) * length / (2 * count)) >> 16
        }
    }

    let width: Int
    let height: Int
    /// The lowest first.
    var planes: [Plane]
    /// How a viewer holds the screen: the picture is turned clockwise by so many degrees, as the lowest plane was turned the
    /// other way.
    var viewed = 0

    /// Of the picture as it is recorded.
    var pictureWidth: Int { viewed % 180 == 0 ? width : height }
    var pictureHeight: Int { viewed % 180 == 0 ? height : width }

    /// The colour of a pixel of the picture as it is recorded, 0…255 each.
    func colour(_ x: Int, _ y: Int) -> (red: Int, green: Int, blue: Int) {
        // The picture is to the screen what a framebuffer is to a plane that is turned.
        let (column, row) =
            switch viewed {
            case 90: (y, height - 1 - x)
            case 180: (width - 1 - x, height - 1 - y)
            case 270: (width - 1 - y, x)
            default: (x, y)
            }
        var result = ShownColour()
        for plane in planes {
            let (u, v) = (column - plane.x, row - plane.y)
            guard u >= 0, v >= 0, u < plane.width, v < plane.height else { continue }
            result = plane.shown(u, v).over(result, plane.blend, planeAlpha: plane.alpha)
        }
        return (
            ShownColour.narrowed(result.red), ShownColour.narrowed(result.green), ShownColour.narrowed(result.blue)
        )
    }

    /// Whether a picture in planar 4:2:0 is this one, bit by bit. Most others are told by a few of their samples.
    func equals(_ picture: [UInt8]) -> Bool {
        for y in stride(from: 1, to: pictureHeight, by: 13) {
            for x in stride(from: 3, to: pictureWidth, by: 17) where picture[y * pictureWidth + x] != luma(x, y) {
                return false
            }
        }
        return picture == encoded()
    }

    private func luma(_ x: Int, _ y: Int) -> UInt8 {
        let (red, green, blue) = colour(x, y)
        return UInt8((47 * red + 157 * green + 16 * blue + 128) >> 8 + 16)
    }

    /// The picture in planar 4:2:0 by the encoder module's formula (board/virtual/h264-encoder/README.md): luma, Cb, Cr.
    func encoded() -> [UInt8] {
        let (width, height) = (pictureWidth, pictureHeight)
        var picture = [UInt8](repeating: 0, count: width * height * 3 / 2)
        for y in stride(from: 0, to: height, by: 2) {
            for x in stride(from: 0, to: width, by: 2) {
                var (red, green, blue) = (0, 0, 0)
                for pixel in 0..<4 {
                    let (column, row) = (x + pixel & 1, y + pixel >> 1)
                    let (r, g, b) = colour(column, row)
                    picture[row * width + column] = luma(column, row)
                    (red, green, blue) = (red + r, green + g, blue + b)
                }
                let place = width * height + y / 2 * (width / 2) + x / 2
                picture[place] = UInt8((-26 * red - 86 * green + 112 * blue + 512) >> 10 + 128)
                picture[place + width * height / 4] = UInt8((112 * red - 102 * green - 10 * blue + 512) >> 10 + 128)
            }
        }
        return picture
    }
}
