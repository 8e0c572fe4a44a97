import Media
import V4L2

extension PathChoice {
    /// The first thing that stood in the way of zero copy although source and encoder have a layout in common.
    struct Obstacle {
        private(set) var words: String?

        mutating func meet(_ misfit: FormatFit.Misfit, _ taker: String, _ format: V4L2Format) {
            // That lines are of another length is worth more to a person than that a second encoder is too small.
            if words == nil || isSize, misfit != .size || words == nil {
                words = misfit.words(taker, format)
                isSize = misfit == .size
            }
        }

        private var isSize = false
    }

    /// The ways on which an encoder takes a layout as it comes: of each encoder the one with the fewest bytes, and behind
    /// all of these the one with the fewest in the other's memory. More of them would not help where an encoder fails, and
    /// each that is tried takes its time.
    func zeroCopyPaths(_ source: Source, _ obstacle: inout Obstacle) -> [VideoPath] {
        var (first, reserve): ([VideoPath], [VideoPath]) = ([], [])
        for encoder in encoders {
            var ways: [VideoPath] = []
            for offer in Self.byWeight(source.offers) {
                for code in encoder.inputs where Self.isSame(code, offer.fourcc) {
                    do throws(FormatFit.Misfit) {
                        let fit = try FormatFit(offer, source.trying, as: code, encoder.trying)
                        let directions = Self.directions(fit, source)
                        if directions.isEmpty { obstacle.meet(fit.shortage, "the encoder", offer) }
                        ways += directions.map { Self.zeroCopy(fit, $0, encoder, source.preparation(fit.given)) }
                    } catch {
                        obstacle.meet(error, "the encoder", offer)
                    }
                }
            }
            guard let best = ways.first else { continue }
            first.append(best)
            if let other = ways.first(where: { $0.transfer != best.transfer }) { reserve.append(other) }
        }
        return Self.bySize(first) + reserve
    }

    /// Ways by the bytes of a picture; of two with as many the order holds.
    private static func bySize(_ paths: [VideoPath]) -> [VideoPath] {
        func bytes(_ path: VideoPath) -> Int { path.captureFormat.map(weight) ?? .max }
        return paths.enumerated().sorted {
            let (first, second) = (bytes($0.element), bytes($1.element))
            return first == second ? $0.offset < $1.offset : first < second
        }.map(\.element)
    }

    /// The ways through a converter of the board that takes a layout of the source and gives one of an encoder, both as
    /// they come.
    func converterPaths(_ source: Source, _ obstacle: String) -> [VideoPath] {
        var paths: [VideoPath] = []
        for converter in converters {
            for offer in Self.byWeight(source.offers) {
                guard let code = converter.inputs.first(where: { Self.isSame($0, offer.fourcc) }),
                    let input = try? FormatFit(offer, source.trying, as: code, converter.tryingInput),
                    let direction = Self.directions(input, source).first,
                    let (output, encoder) = joint(converter, offer)
                else { continue }
                let way = VideoPath.Converter(
                    path: converter.path, card: converter.card, input: input.taken, output: output.given,
                    isLent: direction == .lent)
                paths.append(
                    VideoPath(
                        captureFormat: input.given, encoder: .hardware(encoder.set(to: output.taken)),
                        transfer: .converter(way), reason: "converted by \(converter.card): \(obstacle)"))
            }
        }
        return paths
    }

    /// The ways on which the processor writes into an encoder's buffers: NV12 or YUV420, or the source's own layout.
    func processorPaths(_ source: Source, _ obstacle: String) -> [VideoPath] {
        let offers = source.offers.enumerated().sorted {
            let (first, second) = (Self.work($0.element), Self.work($1.element))
            return first == second ? $0.offset < $1.offset : first < second
        }
        guard let offer = offers.first?.element else { return [] }
        var paths: [VideoPath] = []
        for encoder in encoders {
            let codes = V4L2Layout.all.filter { encoder.inputs.contains($0.fourcc) && $0.pixelFormat != .mjpeg }
            // What needs no other layout, only other lines, is copied as it is: as 4:2:0 rather than as anything else.
            let own = V4L2Layout.of(offer.fourcc)?.pixelFormat
            let small = codes.filter { $0.pixelFormat == .nv12 || $0.pixelFormat == .yuv420 }
            let ordered =
                small.filter { $0.pixelFormat == own } + small.filter { $0.pixelFormat != own }
                + codes.filter { $0.pixelFormat == own && !small.contains($0) && !FormatFit.isNarrowRGB(offer) }
            for code in ordered {
                guard let taken = encoder.taking(code.fourcc, offer.width, offer.height) else { continue }
                paths.append(
                    VideoPath(
                        captureFormat: offer, encoder: .hardware(encoder.set(to: taken)), transfer: .processor,
                        reason: "converted by the processor: \(obstacle)"))
                break
            }
        }
        return paths
    }

    /// The software encoder's way; it takes what the processor has to read least of.
    static func software(_ source: Source, _ reason: String) -> VideoPath {
        let offer = source.offers.min { work($0) < work($1) }
        return VideoPath(
            captureFormat: offer, encoder: .software, transfer: .process, reason: "software: \(reason)")
    }

    /// "the input gives BGR3 and the encoder takes NV12, YU12".
    func noCommonLayout(_ source: Source) -> String {
        let given = PathWords.list(source.offers.map(\.fourcc))
        return "the input gives \(given) and the encoder takes \(PathWords.list(encoders.flatMap(\.inputs)))"
    }

    func refusal(_ obstacle: Obstacle, _ thing: String) -> Failure {
        encoders.isEmpty
            ? Failure(
                .encoderFailed, thing, because: "the board has no H.264 encoder that this user may open",
                mend: "Leave the choice of the encoder open: software then encodes.")
            : Failure(
                .encoderFailed, thing,
                because: obstacle.words ?? "the board's encoder takes none of their layouts at this size",
                mend: "Leave the choice of the encoder open: software then encodes.")
    }

    private func joint(_ converter: Converter, _ offer: V4L2Format) -> (FormatFit, Encoder)? {
        let outputs = converter.outputs.compactMap { code -> V4L2Format? in
            guard let layout = V4L2Layout.of(code), layout.pixelFormat != .mjpeg else { return nil }
            var wish = V4L2Format(
                width: offer.width, height: offer.height, fourcc: code, planes: layout.pieceCount)
            wish.color = offer.color
            guard let answer = converter.tryingOutput(wish), answer.fourcc == code, answer.width == offer.width,
                answer.height == offer.height
            else { return nil }
            return answer
        }
        for output in Self.byWeight(outputs) {
            for encoder in encoders {
                for code in encoder.inputs where Self.isSame(code, output.fourcc) {
                    if let fit = try? FormatFit(output, converter.tryingOutput, as: code, encoder.trying),
                        fit.isShareable
                    {
                        return (fit, encoder)
                    }
                }
            }
        }
        return nil
    }

    private static func zeroCopy(
        _ fit: FormatFit, _ transfer: VideoPath.Transfer, _ encoder: Encoder, _ preparation: String?
    ) -> VideoPath {
        let name = "\(V4L2Layout.name(fit.given.fourcc)) \(fit.given.width)x\(fit.given.height)"
        let line = "\(fit.given.planes[0].bytesPerLine) bytes a line"
        let reason =
            preparation.map { "\($0) as \(name) for the encoder, \(line)" }
            ?? (transfer == .lent
                ? "zero copy: the input writes \(name) into the encoder's buffers, \(line)"
                : fit.isPadded
                    ? "zero copy: the input fits \(name) to the encoder, \(line)"
                    : "zero copy: the encoder takes \(name) as it comes, \(line)")
        return VideoPath(
            captureFormat: fit.given, encoder: .hardware(encoder.set(to: fit.taken)), transfer: transfer,
            reason: reason, isPrepared: preparation != nil)
    }

    /// Whose memory it can be, the better first.
    private static func directions(_ fit: FormatFit, _ source: Source) -> [VideoPath.Transfer] {
        var ways: [VideoPath.Transfer] = []
        if source.isReadableByDevices && fit.isShareable { ways.append(.shared) }
        if fit.isLendable { ways.append(.lent) }
        return ways
    }

    /// Whether two codes lay a picture out alike: some layouts have an older and a newer code.
    private static func isSame(_ first: UInt32, _ second: UInt32) -> Bool {
        guard let one = V4L2Layout.of(first), let other = V4L2Layout.of(second), one.pixelFormat != .mjpeg
        else { return false }
        return one.pixelFormat == other.pixelFormat && one.hasSeparatePlanes == other.hasSeparatePlanes
            && one.isSwapped == other.isSwapped
    }

    /// Layouts by the bytes of a picture; of two with as many the source's order holds.
    private static func byWeight(_ offers: [V4L2Format]) -> [V4L2Format] {
        offers.enumerated().sorted {
            let (first, second) = (weight($0.element), weight($1.element))
            return first == second ? $0.offset < $1.offset : first < second
        }.map(\.element)
    }

    /// Bytes of a picture without padding.
    private static func weight(_ format: V4L2Format) -> Int {
        V4L2Layout.of(format.fourcc)?.pixelFormat.byteCount(width: format.width, height: format.height) ?? .max
    }

    /// The place among layouts by how little work they make for the processor.
    private static func work(_ format: V4L2Format) -> Int {
        V4L2Layout.all.firstIndex { $0.fourcc == format.fourcc } ?? V4L2Layout.all.count
    }
}

extension PathChoice.Encoder {
    /// What the driver makes of a picture in a layout when it decides lines and pieces; nil when it does not take it.
    func taking(_ code: UInt32, _ width: Int, _ height: Int) -> V4L2Format? {
        let pieces = V4L2Layout.of(code)?.pieceCount ?? 1
        guard
            let answer = trying(V4L2Format(width: width, height: height, fourcc: code, planes: pieces)),
            answer.fourcc == code, answer.width >= width, answer.height >= height
        else { return nil }
        return answer
    }

    func set(to format: V4L2Format) -> VideoPath.Hardware {
        VideoPath.Hardware(path: path, card: card, format: format)
    }
}

extension V4L2Layout {
    /// Pieces of memory of a picture.
    var pieceCount: Int { hasSeparatePlanes ? pixelFormat.planes(width: 16, height: 16).count : 1 }
}
