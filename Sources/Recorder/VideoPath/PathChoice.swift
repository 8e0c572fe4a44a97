import Media
import V4L2

/// The choice of the way from a source to an encoder, from what the devices say of themselves. It opens nothing: drivers'
/// answers come from functions that ask them (VIDIOC_TRY_FMT), so the same inputs give the same choice.
///
/// The best way is the one that touches the fewest bytes: an encoder that takes a layout of the source as it comes, the
/// smaller layout first; else a converter of the board between the two; else one conversion by the processor into the
/// encoder's buffers; else software.
public struct PathChoice {
    /// A capture device, as far as its formats go.
    public struct Source {
        /// The layouts that it gives at its present size and at the wanted rate, best first.
        public var offers: [V4L2Format]
        /// Whether other devices' hardware can read its buffers.
        public var isReadableByDevices: Bool
        /// What its driver makes of a format; nil when it refuses.
        public var trying: (V4L2Format) -> V4L2Format?
        /// What the processor does with a picture before it lies so: "the processor puts 3 planes together"; nil for nothing.
        public var preparation: (V4L2Format) -> String?

        public init(
            offers: [V4L2Format], isReadableByDevices: Bool, trying: @escaping (V4L2Format) -> V4L2Format?,
            preparation: @escaping (V4L2Format) -> String? = { _ in nil }
        ) {
            self.offers = offers
            self.isReadableByDevices = isReadableByDevices
            self.trying = trying
            self.preparation = preparation
        }
    }

    /// An encoder of the board, as far as its raw side goes.
    public struct Encoder {
        /// Where it is: "/dev/video11".
        public var path: String
        /// What the maker calls it: "bcm2835-codec-encode".
        public var card: String
        /// The four-character codes that it takes, in the driver's order.
        public var inputs: [UInt32]
        /// What its driver makes of a format of the raw side; nil when it refuses.
        public var trying: (V4L2Format) -> V4L2Format?

        public init(
            path: String, card: String, inputs: [UInt32], trying: @escaping (V4L2Format) -> V4L2Format?
        ) {
            self.path = path
            self.card = card
            self.inputs = inputs
            self.trying = trying
        }
    }

    /// A device that changes layouts.
    public struct Converter {
        /// Where it is: "/dev/video12".
        public var path: String
        /// What the maker calls it: "bcm2835-isp".
        public var card: String
        /// The four-character codes that it takes.
        public var inputs: [UInt32]
        /// The four-character codes that it gives.
        public var outputs: [UInt32]
        /// What its driver makes of a format of the side that takes; nil when it refuses.
        public var tryingInput: (V4L2Format) -> V4L2Format?
        /// What its driver makes of a format of the side that gives; nil when it refuses.
        public var tryingOutput: (V4L2Format) -> V4L2Format?

        public init(
            path: String, card: String, inputs: [UInt32], outputs: [UInt32],
            tryingInput: @escaping (V4L2Format) -> V4L2Format?, tryingOutput: @escaping (V4L2Format) -> V4L2Format?
        ) {
            self.path = path
            self.card = card
            self.inputs = inputs
            self.outputs = outputs
            self.tryingInput = tryingInput
            self.tryingOutput = tryingOutput
        }
    }

    /// The encoders of the board, the preferred one first.
    public var encoders: [Encoder]
    /// The converters of the board.
    public var converters: [Converter]
    /// Who may encode.
    public var preference: EncoderPreference
    /// The codes of which the source is to give one; nil for any.
    public var codes: [UInt32]?

    public init(
        encoders: [Encoder], converters: [Converter] = [], preference: EncoderPreference = .automatic,
        codes: [UInt32]? = nil
    ) {
        self.encoders = encoders
        self.converters = converters
        self.preference = preference
        self.codes = codes
    }

    /// All ways for the pictures of a capture device, the best one first. Each of the others is what is left when those in
    /// front of it turn out not to work.
    /// - Throws: `Failure` of kind invalidValue when the source has none of the wanted layouts; of kind encoderFailed when
    ///   hardware was asked for and there is none that takes the pictures; of kind noSource for a source without a layout
    ///   that is understood.
    public func paths(for source: Source) throws(Failure) -> [VideoPath] {
        var source = source
        let all = source.offers.filter { V4L2Layout.of($0.fourcc) != nil }
        guard !all.isEmpty else {
            let given = PathWords.list(source.offers.map(\.fourcc))
            throw Failure(
                .noSource, "cannot record from the input",
                because: given.isEmpty ? "it offers no pictures" : "pictures in \(given) are not known here")
        }
        source.offers = codes.map { codes in all.filter { codes.contains($0.fourcc) } } ?? all
        guard !source.offers.isEmpty else {
            throw Failure(
                .invalidValue, "cannot use the pixel format \(PathWords.list(codes ?? []))",
                because: "the input does not give it now", mend: "It gives \(PathWords.list(all.map(\.fourcc))).")
        }
        if preference == .software { return [Self.software(source, softwareReason(isReserve: false, ""))] }
        var obstacle = Obstacle()
        var paths = zeroCopyPaths(source, &obstacle)
        let words = obstacle.words ?? noCommonLayout(source)
        paths += converterPaths(source, words)
        paths += processorPaths(source, words)
        if preference == .hardware {
            if paths.isEmpty { throw refusal(obstacle, "cannot encode the input's pictures by hardware") }
            return paths
        }
        return paths + [Self.software(source, softwareReason(isReserve: !paths.isEmpty, words))]
    }

    /// All ways for pictures that lie in memory of the process, NV12 or YUV420, the best one first.
    /// - Throws: `Failure` of kind encoderFailed when hardware was asked for and there is none that takes the pictures.
    public func paths(for format: VideoFormat) throws(Failure) -> [VideoPath] {
        var paths: [VideoPath] = []
        for encoder in preference == .software ? [] : encoders {
            let code = encoder.inputs.first { V4L2Layout.of($0)?.pixelFormat == format.pixelFormat }
            guard let code, let taken = encoder.taking(code, format.width, format.height) else { continue }
            paths.append(
                VideoPath(
                    captureFormat: nil, encoder: .hardware(encoder.set(to: taken)), transfer: .copied,
                    reason: "copied into the encoder's buffers: the source makes its pictures in memory"))
        }
        if preference == .hardware {
            if paths.isEmpty { throw refusal(Obstacle(), "cannot encode the source's pictures by hardware") }
            return paths
        }
        let size = "\(format.pixelFormat.rawValue) \(format.width)x\(format.height)"
        let reason = softwareReason(isReserve: !paths.isEmpty, "the board's encoder takes no \(size)")
        return paths + [
            VideoPath(captureFormat: nil, encoder: .software, transfer: .process, reason: "software: \(reason)")
        ]
    }

    /// Why the processor encodes.
    /// - Parameter obstacle: what is in the way of an encoder that there is.
    func softwareReason(isReserve: Bool, _ obstacle: String) -> String {
        if preference == .software { return "the processor encodes, as asked" }
        if encoders.isEmpty { return "the board has no H.264 encoder that this user may open" }
        return isReserve ? "should the encoder fail" : obstacle
    }
}
