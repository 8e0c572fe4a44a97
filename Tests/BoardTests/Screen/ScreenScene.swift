import Testing

/// What the board's screen is made to show, and what a reference says of it.
struct ScreenScene: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// What `boardctl screen` is told, word by word, once the screen shows its first picture.
    let commands: [[String]]
    /// What it shows with picture `number` of a run.
    let reference: @Sendable (_ number: Int) -> ReferenceScreen

    static let (width, height) = (240, 160)

    /// Shows it, and lets it flip for longer than a test takes.
    func begin() throws {
        try Board.control("screen", "show", "\(Self.width)x\(Self.height)")
        for words in commands { try Board.control(["screen"] + words) }
        try Board.control("screen", "begin", "100000")
    }

    // MARK: planes

    /// The primary plane with picture `number`.
    private static func ground(
        _ number: Int, rotation: Int = 0, _ format: ShownFormat = .xrgb8888
    ) -> ReferenceScreen.Plane {
        let (across, down) = rotation % 180 == 0 ? (width, height) : (height, width)
        return ReferenceScreen.Plane(width: width, height: height, rotation: rotation) { x, y in
            format.kept(KnownPicture.ofRun(number, x, y, width: across, height: down))
        }
    }

    private static func cursor(_ number: Int) -> ReferenceScreen.Plane {
        let place = KnownPicture.cursorPlace(number, width: width, height: height)
        return ReferenceScreen.Plane(x: place.x, y: place.y, width: 64, height: 64) { x, y in
            ShownFormat.argb8888.kept(KnownPicture.cursor(x, y))
        }
    }

    /// An overlay of 100x60 at (70, 20).
    private static func overlay(
        _ format: ShownFormat, rotation: Int = 0, isMirrored: Bool = false, alpha: Int? = nil
    ) -> ReferenceScreen.Plane {
        ReferenceScreen.Plane(
            x: 70, y: 20, width: 100, height: 60, rotation: rotation, isMirrored: isMirrored
        ) { x, y in format.kept(KnownPicture.overlay(x, y, alpha: alpha)) }
    }

    // MARK: scenes

    /// One plane that covers the screen: nothing is to be put together.
    static let plain = ScreenScene(testDescription: "one plane", commands: []) { number in
        ReferenceScreen(width: width, height: height, planes: [ground(number)])
    }

    /// One plane that covers a screen which is mounted turned by a quarter.
    static let quarter = ScreenScene(testDescription: "one plane, turned", commands: [["rotate", "90"]]) { number in
        ReferenceScreen(width: width, height: height, planes: [ground(number, rotation: 90)], viewed: 90)
    }

    /// An overlay that leaves the number to be seen.
    static let covered = ScreenScene(
        testDescription: "an overlay", commands: [["overlay", "0", "70", "20", "100", "60", "RGB565"]]
    ) { number in
        ReferenceScreen(width: width, height: height, planes: [ground(number), overlay(.rgb565)])
    }

    private static func covered(_ format: ShownFormat, rotation: Int, alpha: Int? = nil) -> ScreenScene {
        let place = ["0", "70", "20", "100", "60", format.rawValue, "\(rotation)"]
        return ScreenScene(
            testDescription: "an overlay of \(format.rawValue) turned by \(rotation), and a moving cursor",
            commands: [["overlay"] + place + (alpha.map { ["\($0)"] } ?? []), ["cursor", "roams"]]
        ) { number in
            let over = overlay(format, rotation: rotation, alpha: alpha)
            return ReferenceScreen(width: width, height: height, planes: [ground(number), over, cursor(number)])
        }
    }

    private static func turned(_ rotation: Int) -> ScreenScene {
        ScreenScene(
            testDescription: "a screen that is mounted turned by \(rotation), with an overlay and a moving cursor",
            commands: [
                ["rotate", "\(rotation)"], ["overlay", "0", "70", "20", "100", "60", "ARGB8888", "90x"],
                ["cursor", "roams"],
            ]
        ) { number in
            let planes = [
                ground(number, rotation: rotation), overlay(.argb8888, rotation: 90, isMirrored: true), cursor(number),
            ]
            return ReferenceScreen(width: width, height: height, planes: planes, viewed: rotation)
        }
    }

    private static func whole(_ format: ShownFormat) -> ScreenScene {
        ScreenScene(testDescription: "one plane of \(format.rawValue)", commands: [["format", format.rawValue]]) {
            ReferenceScreen(width: width, height: height, planes: [ground($0, format)])
        }
    }

    /// Several planes.
    static let piled =
        [
            covered(.argb8888, rotation: 90), covered(.rgb565, rotation: 180), covered(.argb16161616, rotation: 270),
            covered(.xrgb16161616, rotation: 0), covered(.argb8888, rotation: 0, alpha: 128),
        ] + [90, 180, 270].map(turned)

    /// All that vkms can do, each at least once.
    static let all = piled + [plain] + [.argb8888, .rgb565, .xrgb16161616].map(whole)
}
