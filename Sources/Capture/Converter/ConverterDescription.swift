import Linux
import Media
import V4L2

/// A device of this machine that brings pictures from one layout into another (a scaler, an image processor), and what it
/// can: "Video Memory-To-Memory Interface" in the kernel's documentation. Codecs are none.
public struct ConverterDescription: Hashable, Sendable {
    /// Where it is: "/dev/video12".
    public var path: String
    /// What the maker calls it: "bcm2835-isp".
    public var card: String
    /// Where it is attached: "platform:bcm2835-isp".
    public var bus: String
    /// The driver's name.
    public var driver: String
    /// The layouts that it takes and that are understood here, in the driver's order: V4L2_PIX_FMT_….
    public var inputs: [UInt32]
    /// The layouts that it gives and that are understood here, in the driver's order.
    public var outputs: [UInt32]

    public init(path: String, card: String, bus: String, driver: String, inputs: [UInt32], outputs: [UInt32]) {
        self.path = path
        self.card = card
        self.bus = bus
        self.driver = driver
        self.inputs = inputs
        self.outputs = outputs
    }

    /// What a device can as a converter; nil when it does not make raw pictures of raw pictures.
    init?(_ device: V4L2Device) {
        guard let types = device.conversionTypes else { return nil }
        self.init(
            path: device.path, card: device.card, bus: device.bus, driver: device.driver,
            inputs: Self.rawLayouts(of: device, types.input), outputs: Self.rawLayouts(of: device, types.output))
        if inputs.isEmpty || outputs.isEmpty { return nil }
    }

    /// The converters of this machine, found by what they can. Devices are opened for a moment, and left as they were.
    public static func list() -> [ConverterDescription] {
        V4L2Nodes.paths.compactMap { path in
            (try? V4L2Device(opening: path)).flatMap { ConverterDescription($0) }
        }
    }

    /// What the driver makes of a format of the side that takes (VIDIOC_TRY_FMT); nil when it refuses, or changes size or
    /// layout, or the device cannot be opened.
    /// - Parameter trial: of this device.
    public func tryingInput(_ format: V4L2Format, _ trial: V4L2Trial) -> V4L2Format? {
        trying(format, trial, as: \.input)
    }

    /// What the driver makes of a format of the side that gives; nil as with `tryingInput`.
    public func tryingOutput(_ format: V4L2Format, _ trial: V4L2Trial) -> V4L2Format? {
        trying(format, trial, as: \.output)
    }

    private typealias Types = (input: V4L2BufferType, output: V4L2BufferType)

    private func trying(
        _ format: V4L2Format, _ trial: V4L2Trial, as side: KeyPath<Types, V4L2BufferType>
    ) -> V4L2Format? {
        guard let device = trial.device, let types = device.conversionTypes,
            let answer = try? device.trying(format, types[keyPath: side])
        else { return nil }
        let isAsAsked = (answer.width, answer.height, answer.fourcc) == (format.width, format.height, format.fourcc)
        return isAsAsked && answer.isProgressive ? answer : nil
    }

    private static func rawLayouts(of device: V4L2Device, _ type: V4L2BufferType) -> [UInt32] {
        device.layouts(type).filter { code in
            V4L2Layout.of(code).map { $0.pixelFormat != .mjpeg } ?? false
        }
    }
}
