import Media
import Pixels

/// The picture that stands in for those that do not come in: a few big words, light grey on dark grey.
struct Slate {
    /// The ground, from 0, black, to 1, white.
    static let ground = 0.12
    /// The words.
    static let light = 0.75
    private let mask: CoverageMask
    private let format: VideoFormat

    /// - Parameters:
    ///   - words: in the letters of `StrokeFont`.
    ///   - format: of the pictures that it stands in for.
    init(_ words: String, _ format: VideoFormat) {
        self.format = format
        // An eighth of the picture's height, unless the words would be wider than four fifths of it then.
        var height = max(format.height / 8, 5)
        let width = CoverageMask(words, height: height).width
        if width * 5 > format.width * 4 { height = max(height * format.width * 4 / (width * 5), 5) }
        mask = CoverageMask(words, height: height)
    }

    /// Draws it, over all of a picture.
    /// - Parameter planes: of the slate's format.
    func draw(_ planes: [VideoFrame.Plane]) {
        let picture = GreyPicture(planes, format)
        picture.fill(Self.ground)
        picture.mix(
            Self.light, over: Self.ground, through: mask, x: (format.width - mask.width) / 2,
            y: (format.height - mask.height) / 2)
    }
}
