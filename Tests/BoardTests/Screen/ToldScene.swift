import KMS
import Linux
import Testing

/// What a screen can show that the board's own cannot.
struct ToldScene: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// How far a sample of the recording may be from the reference.
    var tolerance = 0
    let layers: @Sendable () throws -> [ToldLayer]

    static let (width, height) = (240, 160)

    typealias Placing = ToldLayer.Placing

    /// A ground that covers the screen.
    private static func ground(_ format: PackedFormat = .xrgb8888) throws -> ToldLayer {
        try ToldLayer(format, Placing(width: width, height: height, kind: .primary)) {
            KnownPicture.drawing(3, $0, $1)
        }
    }

    private static func over(_ format: PackedFormat, _ placing: Placing) throws -> ToldLayer {
        try ToldLayer(format, placing) { KnownPicture.overlay($0, $1) }
    }

    /// Each layout, with the alpha of its pixels where it has one, over a ground of another depth.
    private static let formats = PackedFormat.all.map { format in
        ToldScene(testDescription: "\(format.code) over XR30, and as the only plane's layout over nothing") {
            [
                try ground(.xrgb2101010), try over(format, Placing(width: 120, height: 90, x: 10, y: 20)),
                try over(format, Placing(width: 60, height: 40, x: 150, y: -10, rotation: 90)),
            ]
        }
    }

    private static let blends = ShownColour.Blend.allCases.map { blend in
        ToldScene(testDescription: "blend mode \(blend), with and without an alpha of the plane, in 8 and 16 bits") {
            [
                try ground(),
                try over(.argb8888, Placing(width: 100, height: 60, x: 5, y: 5, blend: blend)),
                try over(.argb8888, Placing(width: 100, height: 60, x: 60, y: 40, blend: blend, alpha: 0x6789)),
                try over(.abgr16161616, Placing(width: 90, height: 70, x: 120, y: 80, blend: blend, alpha: 0xC000)),
                try over(.xrgb8888, Placing(width: 50, height: 50, x: 170, y: 10, blend: blend, alpha: 0x1234)),
            ]
        }
    }

    private static let scaled = ToldScene(testDescription: "cropped and scaled to more and to fewer pixels, turned too")
    {
        let part = ReferenceScreen.Part(x: 3 << 16 + 0x8000, y: 5 << 16 + 0x1234, width: 40 << 16, height: 30 << 16)
        return [
            try ground(),
            try over(.argb8888, Placing(width: 64, height: 48, x: 7, y: 9, target: (101, 77), part: part)),
            try over(.xbgr8888, Placing(width: 64, height: 48, x: 120, y: 30, target: (33, 21), part: part)),
            try over(
                .rgb565, Placing(width: 64, height: 48, x: 160, y: 60, target: (50, 90), part: part, rotation: 90)),
        ]
    }

    private static let tiled = ToldScene(testDescription: "VC4's T tiles") {
        [
            try ToldLayer(.xrgb8888, Placing(width: width, height: height, kind: .primary), isTTiled: true) {
                KnownPicture.drawing(9, $0, $1)
            },
            try ToldLayer(.argb8888, Placing(width: 70, height: 50, x: 33, y: 44), isTTiled: true) {
                KnownPicture.overlay($0, $1)
            },
        ]
    }

    private static let video =
        ([(6, false), (1, false), (9, true)] as [(UInt8, Bool)]).map { matrix, isFullRange in
            ToldScene(testDescription: "NV12 and YUYV by matrix \(matrix), all values: \(isFullRange)", tolerance: 1) {
                [
                    try ground(),
                    try .nv12(Placing(width: 100, height: 80, x: 10, y: 10), matrix: matrix, isFullRange: isFullRange),
                    try .yuyv(Placing(width: 90, height: 70, x: 120, y: 60), matrix: matrix, isFullRange: isFullRange),
                ]
            }
        }
        + ([64, 128, 256] as [Int]).map { bytes in
            ToldScene(testDescription: "NV12 in Broadcom's columns of \(bytes) bytes", tolerance: 1) {
                [try ground(), try .nv12(Placing(width: 200, height: 120, x: 11, y: 21), sandBytes: bytes)]
            }
        }
        + [
            ToldScene(testDescription: "NV12 that is scaled", tolerance: 1) {
                [try ground(), try .nv12(Placing(width: 100, height: 80, x: 3, y: 3, target: (200, 150)))]
            }
        ]

    /// One plane that goes to the encoder as it lies.
    static let plain = ToldScene(testDescription: "one plane alone") { [try ground()] }

    static let all = [plain] + formats + blends + [scaled, tiled] + video
}
