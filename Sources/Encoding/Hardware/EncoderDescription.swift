import CKernel
import Linux
import Media
import V4L2

/// A hardware encoder of this machine, and what it can.
public struct EncoderDescription: Hashable, Sendable {
    /// Where it is: "/dev/video11".
    public var path: String
    /// What the maker calls it: "bcm2835-codec-encode".
    public var card: String
    /// Where it is attached: "platform:bcm2835-codec".
    public var bus: String
    /// The driver's name.
    public var driver: String
    /// Its queue of raw pictures: `.output` or `.outputMultiplanar`.
    public var inputType: V4L2BufferType
    /// The layouts that it takes and that are understood here, in the driver's order: V4L2_PIX_FMT_….
    public var inputs: [UInt32]
    /// The sizes that it takes; nil when the driver does not say.
    public var sizes: V4L2Sizes?

    public init(
        path: String, card: String, bus: String, driver: String, inputType: V4L2BufferType, inputs: [UInt32],
        sizes: V4L2Sizes?
    ) {
        self.path = path
        self.card = card
        self.bus = bus
        self.driver = driver
        self.inputType = inputType
        self.inputs = inputs
        self.sizes = sizes
    }

    /// What a device can as an encoder; nil when it does not make H.264 of pictures that are understood here.
    init?(_ device: V4L2Device) {
        guard let types = device.conversionTypes, device.layouts(types.output).contains(CKERNEL_FOURCC_H264) else {
            return nil
        }
        let inputs = device.layouts(types.input).filter { code in
            V4L2Layout.of(code).map { $0.pixelFormat != .mjpeg } ?? false
        }
        guard let first = inputs.first else { return nil }
        self.init(
            path: device.path, card: device.card, bus: device.bus, driver: device.driver, inputType: types.input,
            inputs: inputs, sizes: device.sizes(CKERNEL_FOURCC_H264) ?? device.sizes(first))
    }

    /// Whether pictures of a size are taken, as far as the driver says.
    public func takes(_ size: V4L2Sizes.Size) -> Bool {
        switch sizes {
        case nil: true
        case .discrete(let list): list.contains(size)
        case .stepwise(let smallest, let largest, _):
            size.width >= smallest.width && size.height >= smallest.height && size.width <= largest.width
                && size.height <= largest.height
        }
    }
}

extension HardwareEncoder {
    /// The encoders of this machine: devices that make H.264 of raw pictures, found by what they can.
    public static func list() -> [EncoderDescription] {
        V4L2Nodes.paths.compactMap { path in
            if let device = try? V4L2Device(opening: path) {
                // Cameras and the like are not troubled any further.
                guard device.conversionTypes != nil else { return nil }
            }
            return (try? V4L2Device(opening: path, through: .library)).flatMap { EncoderDescription($0) }
        }
    }

    /// What an encoder would make of a format of raw pictures (VIDIOC_TRY_FMT): other lengths of lines and sizes of pieces,
    /// or a greater width and height out of which the picture would be cut.
    /// - Parameters:
    ///   - path: where the encoder is.
    ///   - format: with the wanted lengths of lines, or 0 for the driver's choice.
    /// - Returns: nil when the encoder cannot be opened or does not take the layout.
    public static func trying(_ path: String, _ format: V4L2Format) -> V4L2Format? {
        trying(V4L2Trial(path, through: .library), format)
    }

    /// The same, for many questions to one encoder.
    public static func trying(_ trial: V4L2Trial, _ format: V4L2Format) -> V4L2Format? {
        guard let device = trial.device, let types = device.conversionTypes else { return nil }
        // What a driver takes may depend on what it is to make.
        _ = try? device.set(
            V4L2Format(width: format.width, height: format.height, fourcc: CKERNEL_FOURCC_H264), types.output)
        guard let answer = try? device.trying(format, types.input), answer.fourcc == format.fourcc else { return nil }
        return answer
    }
}
