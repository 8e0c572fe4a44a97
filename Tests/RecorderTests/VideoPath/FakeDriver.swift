import Media
import Recorder
import V4L2

/// What drivers make of formats, by the rules that some of them have.
struct FakeDriver {
    /// Codes that the driver has.
    var codes: [String]
    /// Bytes to a multiple of which lines are rounded up.
    var lineAlignment = 1
    /// The same for single codes.
    var lineAlignments: [String: Int] = [:]
    /// Lines to a multiple of which a picture is rounded up.
    var lineCountAlignment = 1
    /// Bytes to a multiple of which pieces are rounded up.
    var pieceAlignment = 1
    /// Whether it takes longer lines than it needs.
    var takesLongerLines = true
    /// Whether it takes larger pieces than it needs.
    var takesLargerPieces = true
    var largest = V4L2Sizes.Size(1920, 1920)

    static func code(_ name: String) -> UInt32 {
        name.utf8.enumerated().reduce(0) { $0 | UInt32($1.element) << UInt32(8 * $1.offset) }
    }

    /// VIDIOC_TRY_FMT.
    func trying(_ wish: V4L2Format) -> V4L2Format? {
        let name = V4L2Layout.name(wish.fourcc)
        guard codes.contains(name), let layout = V4L2Layout.of(wish.fourcc) else { return nil }
        func up(_ value: Int, _ step: Int) -> Int { (value + step - 1) / step * step }
        var answer = wish
        answer.width = min(wish.width, largest.width)
        answer.height = up(min(wish.height, largest.height), lineCountAlignment)
        let shapes = layout.pixelFormat.planes(width: answer.width, height: answer.height)
        let pieces = layout.hasSeparatePlanes ? shapes.count : 1
        answer.planes = (0..<pieces).map { index in
            let asked = index < wish.planes.count ? wish.planes[index] : V4L2Format.Plane()
            let least = shapes[index].bytesPerLine
            let line = up(
                takesLongerLines ? max(least, asked.bytesPerLine) : least, lineAlignments[name] ?? lineAlignment)
            let inPiece = layout.hasSeparatePlanes ? [shapes[index]] : shapes
            let needed = inPiece.reduce(0) { $0 + line * $1.bytesPerLine / inPiece[0].bytesPerLine * $1.lines }
            return V4L2Format.Plane(
                bytesPerLine: line,
                byteCount: up(takesLargerPieces ? max(needed, asked.byteCount) : needed, pieceAlignment))
        }
        return answer
    }

    /// What it offers at one size.
    func offers(_ width: Int, _ height: Int) -> [V4L2Format] {
        codes.compactMap { trying(V4L2Format(width: width, height: height, fourcc: Self.code($0))) }
    }

    func source(_ width: Int, _ height: Int, readable: Bool = true) -> PathChoice.Source {
        PathChoice.Source(offers: offers(width, height), isReadableByDevices: readable, trying: trying)
    }

    func encoder(_ card: String = "encoder") -> PathChoice.Encoder {
        PathChoice.Encoder(path: "/dev/\(card)", card: card, inputs: codes.map(Self.code), trying: trying)
    }

    /// A converter that takes what this driver has.
    func converter(to output: FakeDriver) -> PathChoice.Converter {
        PathChoice.Converter(
            path: "/dev/isp", card: "isp", inputs: codes.map(Self.code), outputs: output.codes.map(Self.code),
            tryingInput: trying, tryingOutput: output.trying)
    }
}

extension FakeDriver {
    /// The Raspberry Pi's encoder, as its driver rounds.
    static let bcm2835 = FakeDriver(
        codes: ["YU12", "YV12", "NV12", "NV21", "RGB3", "BGR3", "YUYV", "UYVY", "BGR4", "RGB4"].filter { $0 != "NV21" },
        lineAlignments: [
            "YU12": 64, "YV12": 64, "NV12": 32, "RGB3": 32, "BGR3": 32, "YUYV": 64, "UYVY": 64, "BGR4": 64, "RGB4": 64,
        ])
    /// The Raspberry Pi's camera receiver with an HDMI bridge behind it.
    static let unicam = FakeDriver(codes: ["UYVY", "RGB3"], lineAlignment: 32)
    /// The HDMI receiver of the RK3588: one layout, which the sender decides; its lines cannot be made longer.
    static func hdmirx(_ code: String) -> FakeDriver {
        FakeDriver(codes: [code], lineAlignment: 64, takesLongerLines: false, takesLargerPieces: false)
    }
    /// A camera at USB: lines without a gap, scattered memory.
    static let uvc = FakeDriver(codes: ["YUYV", "MJPG"], takesLongerLines: false, takesLargerPieces: false)
}
