/// How the samples of a plane lie in its pieces of memory, for the formats that can be shown (drm_fourcc.h).
struct PlaneLayout: Hashable {
    /// What reads a line.
    enum Reading: Hashable {
        /// Four bytes: B, G, R, then alpha or nothing.
        case bgra
        /// Four bytes: R, G, B, then alpha or nothing.
        case rgba
        /// Four bytes: alpha or nothing, then B, G, R.
        case abgr
        /// Four bytes: alpha or nothing, then R, G, B.
        case argb
        /// Three bytes: B, G, R; the other way round where red lies first.
        case bytes(isRedFirst: Bool)
        /// 16 bits: 5, 6 and 5, the first named in the highest.
        case short(isRedHigh: Bool)
        /// 32 bits: 2 of alpha or nothing in the highest, then 10, 10, 10.
        case ten(isRedHigh: Bool)
        /// Four times 16 bits: B, G, R, then alpha or nothing; red first where so said.
        case sixteen(isRedFirst: Bool)
        /// Y'CbCr of 8 bits.
        case yCbCr(YCbCrPlaces)
    }

    /// Where the samples of Y'CbCr lie.
    struct YCbCrPlaces: Hashable {
        /// Bytes from a piece's line to the first sample, and the piece.
        var y: Place
        var cb: Place
        var cr: Place
        /// Bytes from luma to luma, and from chroma to chroma of the same kind.
        var lumaStep: Int
        var chromaStep: Int
        /// Pixels that share chroma, as a power of two: along a line, and lines.
        var columnShift: Int
        var lineShift: Int
    }

    struct Place: Hashable {
        var piece: Int
        var offset: Int
    }

    /// As the kernel has it, without DRM_FORMAT_.
    let name: String
    let fourcc: UInt32
    let reading: Reading
    let hasAlpha: Bool

    /// Whether the values have more, or other, steps than the 255 of 8 bits.
    var isDeep: Bool {
        switch reading {
        case .short, .ten, .sixteen: true
        default: false
        }
    }

    /// Bytes of a pixel in a piece of R'G'B'.
    var pixelBytes: Int {
        switch reading {
        case .bgra, .rgba, .abgr, .argb, .ten: 4
        case .bytes: 3
        case .short: 2
        case .sixteen: 8
        case .yCbCr(let places): places.lumaStep
        }
    }

    /// Pieces of memory, 1 to 3.
    var pieceCount: Int {
        guard case .yCbCr(let places) = reading else { return 1 }
        return max(places.cb.piece, places.cr.piece) + 1
    }

    /// Bytes from a line's start that hold its first `count` pixels.
    func lineBytes(piece: Int, count: Int) -> Int {
        guard case .yCbCr(let places) = reading else { return count * pixelBytes }
        let pairs = (count + (1 << places.columnShift) - 1) >> places.columnShift
        if places.cb.piece == 0 { return pairs * places.chromaStep }
        return piece == 0 ? count * places.lumaStep : pairs * places.chromaStep
    }

    /// The line of a piece that has to do with a line of the picture.
    func line(piece: Int, of line: Int) -> Int {
        guard piece > 0, case .yCbCr(let places) = reading else { return line }
        return line >> places.lineShift
    }
}

extension PlaneLayout {
    /// - Parameter fourcc: DRM_FORMAT_….
    /// - Returns: nil for a format that cannot be shown.
    init?(fourcc: UInt32) {
        guard let known = Self.all.first(where: { $0.fourcc == fourcc }) else { return nil }
        self = known
    }

    /// The letters of a format's code, as they are written: "XR24".
    static func letters(of fourcc: UInt32) -> String {
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: fourcc >> (8 * $0)) }
        let isWritable = bytes.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
        return isWritable ? String(decoding: bytes, as: UTF8.self) : "0x" + String(fourcc, radix: 16)
    }

    init(_ name: String, _ letters: String, _ reading: Reading, hasAlpha: Bool = false) {
        self.name = name
        fourcc = letters.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
        self.reading = reading
        self.hasAlpha = hasAlpha
    }

    private static func pairs(isCrFirst: Bool, _ columnShift: Int, _ lineShift: Int) -> Reading {
        let (cb, cr) = (Place(piece: 1, offset: isCrFirst ? 1 : 0), Place(piece: 1, offset: isCrFirst ? 0 : 1))
        return .yCbCr(
            YCbCrPlaces(
                y: Place(piece: 0, offset: 0), cb: cb, cr: cr, lumaStep: 1, chromaStep: 2, columnShift: columnShift,
                lineShift: lineShift))
    }

    private static func planes(isCrFirst: Bool, _ columnShift: Int, _ lineShift: Int) -> Reading {
        let (cb, cr) = (Place(piece: isCrFirst ? 2 : 1, offset: 0), Place(piece: isCrFirst ? 1 : 2, offset: 0))
        return .yCbCr(
            YCbCrPlaces(
                y: Place(piece: 0, offset: 0), cb: cb, cr: cr, lumaStep: 1, chromaStep: 1, columnShift: columnShift,
                lineShift: lineShift))
    }

    private static func packed(_ y: Int, _ cb: Int, _ cr: Int) -> Reading {
        func place(_ offset: Int) -> Place { Place(piece: 0, offset: offset) }
        return .yCbCr(
            YCbCrPlaces(
                y: place(y), cb: place(cb), cr: place(cr), lumaStep: 2, chromaStep: 4, columnShift: 1, lineShift: 0))
    }

    static let all: [PlaneLayout] = [
        PlaneLayout("XRGB8888", "XR24", .bgra),
        PlaneLayout("ARGB8888", "AR24", .bgra, hasAlpha: true),
        PlaneLayout("XBGR8888", "XB24", .rgba),
        PlaneLayout("ABGR8888", "AB24", .rgba, hasAlpha: true),
        PlaneLayout("RGBX8888", "RX24", .abgr),
        PlaneLayout("RGBA8888", "RA24", .abgr, hasAlpha: true),
        PlaneLayout("BGRX8888", "BX24", .argb),
        PlaneLayout("BGRA8888", "BA24", .argb, hasAlpha: true),
        PlaneLayout("RGB888", "RG24", .bytes(isRedFirst: false)),
        PlaneLayout("BGR888", "BG24", .bytes(isRedFirst: true)),
        PlaneLayout("RGB565", "RG16", .short(isRedHigh: true)),
        PlaneLayout("BGR565", "BG16", .short(isRedHigh: false)),
        PlaneLayout("XRGB2101010", "XR30", .ten(isRedHigh: true)),
        PlaneLayout("ARGB2101010", "AR30", .ten(isRedHigh: true), hasAlpha: true),
        PlaneLayout("XBGR2101010", "XB30", .ten(isRedHigh: false)),
        PlaneLayout("ABGR2101010", "AB30", .ten(isRedHigh: false), hasAlpha: true),
        PlaneLayout("XRGB16161616", "XR48", .sixteen(isRedFirst: false)),
        PlaneLayout("ARGB16161616", "AR48", .sixteen(isRedFirst: false), hasAlpha: true),
        PlaneLayout("XBGR16161616", "XB48", .sixteen(isRedFirst: true)),
        PlaneLayout("ABGR16161616", "AB48", .sixteen(isRedFirst: true), hasAlpha: true),
        PlaneLayout("NV12", "NV12", pairs(isCrFirst: false, 1, 1)),
        PlaneLayout("NV21", "NV21", pairs(isCrFirst: true, 1, 1)),
        PlaneLayout("NV16", "NV16", pairs(isCrFirst: false, 1, 0)),
        PlaneLayout("NV61", "NV61", pairs(isCrFirst: true, 1, 0)),
        PlaneLayout("NV24", "NV24", pairs(isCrFirst: false, 0, 0)),
        PlaneLayout("NV42", "NV42", pairs(isCrFirst: true, 0, 0)),
        PlaneLayout("YUV420", "YU12", planes(isCrFirst: false, 1, 1)),
        PlaneLayout("YVU420", "YV12", planes(isCrFirst: true, 1, 1)),
        PlaneLayout("YUV422", "YU16", planes(isCrFirst: false, 1, 0)),
        PlaneLayout("YVU422", "YV16", planes(isCrFirst: true, 1, 0)),
        PlaneLayout("YUV444", "YU24", planes(isCrFirst: false, 0, 0)),
        PlaneLayout("YUYV", "YUYV", packed(0, 1, 3)),
        PlaneLayout("YVYU", "YVYU", packed(0, 3, 1)),
        PlaneLayout("UYVY", "UYVY", packed(1, 0, 2)),
        PlaneLayout("VYUY", "VYUY", packed(1, 2, 0)),
    ]
}
