import CKernel
import Glibc
import KMS
import Linux
import Media
import Pixels
import V4L2

extension Screen {
    /// Milliseconds that a reader may take to say something.
    private static let patience: Int32 = 3000

    /// Waits for the first answer.
    /// - Throws: `Failure` that says why there is nothing to be seen.
    static func awaitMode(
        _ reader: any ScreenReader, _ view: ScreenView, _ name: String
    ) throws(Failure) -> ScreenMode {
        try reader.order(ScreenOrder())
        let limit = MonotonicTime.now + Int64(patience) * 1_000_000
        while try !reader.next(view) {
            guard .now < limit else {
                throw Failure(
                    .noSource, "cannot record from \(name)", because: "whoever reads it does not answer",
                    mend: "Restart kinebox-kms, or the recorder.")
            }
            var entry = pollfd(fd: reader.descriptor, events: Int16(POLLIN), revents: 0)
            _ = poll(&entry, 1, patience)
        }
        switch view.state {
        case .lit(let mode): return mode
        case .absent:
            throw Failure(
                .noSource, "cannot record from \(name)", because: "this board has no such screen",
                mend: "kinebox devices lists those that there are.")
        case .off, .unplugged:
            throw view.finding(nil).failure(of: name)
                ?? Failure(.noSignal, "cannot record from \(name)", because: "it shows nothing")
        }
    }

    /// How pictures of the view may lie in memory, the best first: as it lies there already, where it can be handed on as it
    /// is; and R'G'B' in any case.
    static func layouts(of view: ScreenView, _ memory: ScreenMemory, _ turn: Turn?) -> [V4L2Format] {
        guard let mode = view.mode, case .locked(let shape?) = view.finding(turn) else {
            return [layout(CKERNEL_FOURCC_XBGR32, ScreenPainter.color, width: 16, height: 16)]
        }
        let usual = layout(CKERNEL_FOURCC_XBGR32, ScreenPainter.color, width: shape.width, height: shape.height)
        guard view.planes.count == 1, let plane = view.planes.first,
            let code = plane.plainCode(mode, view.turn(turn)), let piece = memory.piece(plane.pieces[0].buffer)
        else { return [usual] }
        var own = usual
        if code != usual.fourcc {
            own = layout(code, plane.plainColor, width: shape.width, height: shape.height)
        }
        let bytesPerLine = plane.pieces[0].bytesPerLine
        let byteCount = piece.buffer.byteCount
        guard byteCount >= bytes(of: own, bytesPerLine: bytesPerLine) else { return [usual] }
        own.planes = [V4L2Format.Plane(bytesPerLine: bytesPerLine, byteCount: byteCount)]
        return code == usual.fourcc ? [own] : [own, usual]
    }

    public func preparation(_ format: V4L2Format) -> String? {
        let planes = view.planes.count
        if planes > 1 { return "the processor puts \(planes) planes together" }
        guard let plane = view.planes.first else { return nil }
        let passes =
            plane.plainCode(mode, view.turn(wantedTurn)) == format.fourcc
            && plane.pieces[0].bytesPerLine == format.planes[0].bytesPerLine
        return passes ? nil : "the processor draws the plane"
    }

    private static func layout(_ code: UInt32, _ color: ColorDescription, width: Int, height: Int) -> V4L2Format {
        var format = V4L2Format(width: width, height: height, fourcc: code)
        let bytesPerLine = pixelFormat(of: format).planes(width: width, height: height)[0].bytesPerLine
        format.planes = [
            V4L2Format.Plane(bytesPerLine: bytesPerLine, byteCount: bytes(of: format, bytesPerLine: bytesPerLine))
        ]
        format.color = V4L2Color(color)
        return format
    }

    /// Bytes of a picture in one piece of memory with lines of this length.
    private static func bytes(of setting: V4L2Format, bytesPerLine: Int) -> Int {
        let shapes = pixelFormat(of: setting).planes(width: setting.width, height: setting.height)
        return shapes.reduce(0) { $0 + $1.lines } * bytesPerLine
    }

    private static func pixelFormat(of setting: V4L2Format) -> PixelFormat {
        setting.fourcc == CKERNEL_FOURCC_NV12 ? .nv12 : .bgrx32
    }

    private static func color(of setting: V4L2Format) -> ColorDescription {
        setting.color.description(pixelFormat(of: setting), width: setting.width, height: setting.height)
    }

    /// The shape of pictures that lie so.
    static func format(of setting: V4L2Format, _ mode: ScreenMode, _ rate: FrameRate?) -> VideoFormat {
        VideoFormat(
            width: setting.width, height: setting.height, pixelFormat: pixelFormat(of: setting),
            rate: effective(rate, mode.refresh), color: color(of: setting))
    }

    /// The rate that comes of a wish.
    static func effective(_ wish: FrameRate?, _ refresh: FrameRate) -> FrameRate {
        guard let wish, wish.perSecond < refresh.perSecond else { return refresh }
        return wish
    }

    public func offers() throws(Failure) -> [V4L2Format] {
        guard view.mode != nil else {
            throw finding.failure(of: name) ?? Failure(.noSignal, "cannot record from \(name)", because: "it is gone")
        }
        layouts = Self.layouts(of: view, memory, wantedTurn)
        return layouts
    }

    public func trying(_ format: V4L2Format) -> V4L2Format? {
        guard let own = layouts.first(where: { $0.fourcc == format.fourcc }), format.planes.count == 1,
            (format.width, format.height) == (own.width, own.height)
        else { return nil }
        let shortest = Self.pixelFormat(of: own).planes(width: own.width, height: own.height)[0].bytesPerLine
        var answer = format
        let bytesPerLine = max(format.planes[0].bytesPerLine, shortest)
        answer.planes[0].bytesPerLine = bytesPerLine
        answer.planes[0].byteCount = max(
            format.planes[0].byteCount, Self.bytes(of: own, bytesPerLine: bytesPerLine))
        answer.color = own.color
        return answer
    }

    public func choose(_ format: V4L2Format) throws(Failure) -> V4L2Format {
        guard let chosen = trying(format) else {
            throw Failure(
                .noSource, "cannot record from \(name)",
                because: "it does not give \(V4L2Layout.name(format.fourcc)) \(format.width)x\(format.height)")
        }
        (frames, setting) = (nil, chosen)
        (self.format.pixelFormat, self.format.color) = (Self.pixelFormat(of: chosen), Self.color(of: chosen))
        return chosen
    }

    public func prepare(_ memory: FrameMemory) throws(Failure) {
        let own = Self.pixelFormat(of: setting)
        var result = VideoFormat(
            width: setting.width, height: setting.height, pixelFormat: own, rate: format.rate,
            color: Self.color(of: setting))
        switch memory {
        case .device, .lent: break
        case .written(_, let layout): result.pixelFormat = layout
        case .process: result.pixelFormat = .nv12
        }
        let painter = try ScreenPainter(
            mode, width: result.width, height: result.height, target: result.pixelFormat,
            meaning: own.isRGB ? nil : result.color)
        result.color = painter.color
        frames = nil
        frames =
            switch memory {
            case .device: try ScreenFrames(setting, result)
            case .lent(let buffers): try ScreenFrames(setting, result, lent: buffers)
            case .written(let given, _): ScreenFrames(given, result)
            case .process: ScreenFrames(result)
            }
        (self.painter, format, isWanted) = (painter, result, true)
    }

    public func start() throws(Failure) {
        if frames == nil { try prepare(.process) }
        phase = .live
        lastTime = max(lastTime, .now)
        (lastSequence, isWanted) = (nil, true)
        listen()
        order()
    }
}
