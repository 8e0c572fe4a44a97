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

    /// How a picture of the view lies in memory if nobody asks for anything else: as it lies there already, where it can be
    /// handed on as it is.
    static func offer(for view: ScreenView, _ memory: ScreenMemory, _ turn: Turn?) -> V4L2Format {
        guard let mode = view.mode, case .locked(let shape?) = view.finding(turn) else {
            return layout(width: 16, height: 16)
        }
        var format = layout(width: shape.width, height: shape.height)
        guard view.planes.count == 1, let plane = view.planes.first,
            plane.isPlain(mode, view.turn(turn))
        else { return format }
        let piece = plane.pieces[0]
        let byteCount = memory.shown[piece.buffer].buffer.byteCount
        guard byteCount >= piece.bytesPerLine * shape.height else { return format }
        format.planes = [V4L2Format.Plane(bytesPerLine: piece.bytesPerLine, byteCount: byteCount)]
        return format
    }

    private static func layout(width: Int, height: Int) -> V4L2Format {
        var format = V4L2Format(width: width, height: height, fourcc: CKERNEL_FOURCC_XBGR32)
        format.planes = [V4L2Format.Plane(bytesPerLine: 4 * width, byteCount: 4 * width * height)]
        format.color = V4L2Color(ScreenPainter.color)
        return format
    }

    /// The shape of pictures that lie so.
    static func format(of setting: V4L2Format, _ mode: ScreenMode, _ rate: FrameRate?) -> VideoFormat {
        VideoFormat(
            width: setting.width, height: setting.height, pixelFormat: .bgrx32,
            rate: effective(rate, mode.refresh), color: ScreenPainter.color)
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
        return [Self.offer(for: view, memory, wantedTurn)]
    }

    public func trying(_ format: V4L2Format) -> V4L2Format? {
        guard format.fourcc == setting.fourcc, format.planes.count == 1,
            (format.width, format.height) == (setting.width, setting.height)
        else { return nil }
        var answer = format
        let bytesPerLine = max(format.planes[0].bytesPerLine, 4 * format.width)
        answer.planes[0].bytesPerLine = bytesPerLine
        answer.planes[0].byteCount = max(format.planes[0].byteCount, bytesPerLine * format.height)
        answer.color = setting.color
        return answer
    }

    public func choose(_ format: V4L2Format) throws(Failure) -> V4L2Format {
        guard let chosen = trying(format) else {
            throw Failure(
                .noSource, "cannot record from \(name)",
                because: "it does not give \(V4L2Layout.name(format.fourcc)) \(format.width)x\(format.height)")
        }
        (frames, setting) = (nil, chosen)
        (self.format.pixelFormat, self.format.color) = (.bgrx32, ScreenPainter.color)
        return chosen
    }

    public func prepare(_ memory: FrameMemory) throws(Failure) {
        var result = VideoFormat(
            width: setting.width, height: setting.height, pixelFormat: .bgrx32, rate: format.rate,
            color: ScreenPainter.color)
        switch memory {
        case .device, .lent: break
        case .written(_, let layout): result.pixelFormat = layout
        case .process: result.pixelFormat = .nv12
        }
        let painter = try ScreenPainter(
            mode, width: result.width, height: result.height, target: result.pixelFormat)
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
