import CKernel
import Glibc
import Linux
import Media
import V4L2

/// A hardware encoder that was opened, set up and started, in the order that the kernel's documentation asks for
/// ("Memory-to-Memory Stateful Video Encoder Interface").
struct EncoderSetup {
    let device: V4L2Device
    /// Raw pictures go in here.
    let raw: V4L2Queue
    /// The coded stream comes out here; all of its buffers are with the device.
    let coded: V4L2Queue
    let controls: EncoderControls
    /// What the raw pictures' four-character code means.
    let layout: V4L2Layout
    /// The raw pictures' memory as the driver set it.
    let format: V4L2Format

    /// Frames that a source has: an encoder with as many raw buffers serves it.
    private static let usualFrames = 8
    /// Coded buffers at least: they are copied out and given back at once, so few are enough.
    private static let codedCount = 6
    /// A coded buffer has this many bytes at least: a key frame may be far greater than the mean.
    private static let codedBytes = 1_500_000

    /// - Throws: `Failure` of kind encoderFailed that names what the device refuses.
    init(_ configuration: HardwareEncoder.Configuration) throws(Failure) {
        do throws(Failure) {
            try self.init(opening: configuration)
        } catch {
            // A device that cannot be used as an encoder is no source that is missing.
            throw Failure(.encoderFailed, error.thing, because: error.cause, mend: "Use --encoder software.")
        }
    }

    private init(opening configuration: HardwareEncoder.Configuration) throws(Failure) {
        let device = try V4L2Device(opening: configuration.path, through: .library)
        guard let types = device.conversionTypes, let layout = V4L2Layout.of(configuration.layout.fourcc) else {
            throw Self.refusal(device, "it is no encoder, or not for \(V4L2Layout.name(configuration.layout.fourcc))")
        }
        var queues: [V4L2Queue] = []
        do throws(Failure) {
            let format = try Self.setFormats(device, types, configuration)
            var controls = EncoderControls(device, configuration)
            let rawCount = max(
                configuration.bufferCount, EncoderControls.leastBuffers(device, V4L2_CID_MIN_BUFFERS_FOR_OUTPUT))
            let raw = try V4L2Queue(
                device, types.input, format, count: rawCount, memory: configuration.input.memory)
            queues.append(raw)
            let codedFormat = try Self.request(device, "read the format of") { () throws(Errno) in
                try device.format(types.output)
            }
            let codedCount = max(
                Self.codedCount, EncoderControls.leastBuffers(device, V4L2_CID_MIN_BUFFERS_FOR_CAPTURE))
            let coded = try V4L2Queue(device, types.output, codedFormat, count: codedCount)
            queues.append(coded)
            guard
                raw.count >= (configuration.input == .imported ? min(configuration.bufferCount, Self.usualFrames) : 1),
                coded.count > 0
            else {
                throw Self.refusal(device, "it has only \(raw.count) buffers for pictures")
            }
            try Self.start(device, raw, coded, &controls)
            self.device = device
            self.raw = raw
            self.coded = coded
            self.controls = controls
            self.layout = layout
            self.format = format
        } catch {
            V4L2Disposal.dispose(device, queues)
            throw error
        }
    }

    /// Coded side first, since what the raw side takes may depend on it.
    static func setFormats(
        _ device: V4L2Device, _ types: (input: V4L2BufferType, output: V4L2BufferType),
        _ configuration: HardwareEncoder.Configuration
    ) throws(Failure) -> V4L2Format {
        let format = configuration.format
        var coded = V4L2Format(width: format.width, height: format.height, fourcc: CKERNEL_FOURCC_H264)
        coded.planes[0].byteCount = max(codedBytes, format.width * format.height / 2)
        let asked = coded
        coded = try request(device, "set the format of") { () throws(Errno) in try device.set(asked, types.output) }
        guard coded.fourcc == CKERNEL_FOURCC_H264 else { throw refusal(device, "it makes no H.264") }
        var wanted = configuration.layout
        wanted.color = V4L2Color(format.color)
        let raw = wanted
        let answer = try request(device, "set the format of") { () throws(Errno) in try device.set(raw, types.input) }
        try check(answer, against: wanted, device, configuration)
        let size = V4L2Sizes.Size(format.width, format.height)
        let cropped = try? device.crop(to: size)
        guard cropped == size || (answer.width, answer.height) == (size.width, size.height) else {
            throw refusal(device, "it codes \(answer.width)x\(answer.height) only")
        }
        // Drivers without a setting for it take the rate from the pictures' times, or none.
        _ = try? device.set(rate: format.rate, types.input)
        return answer
    }

    /// Frames of another device are where they are: the encoder has to take their lines as they lie.
    private static func check(
        _ answer: V4L2Format, against wanted: V4L2Format, _ device: V4L2Device,
        _ configuration: HardwareEncoder.Configuration
    ) throws(Failure) {
        guard answer.fourcc == wanted.fourcc, answer.planes.count == wanted.planes.count,
            answer.width >= configuration.format.width, answer.height >= configuration.format.height
        else {
            throw refusal(
                device, "it makes \(V4L2Layout.name(answer.fourcc)) \(answer.width)x\(answer.height) of it")
        }
        guard configuration.input == .imported || configuration.input == .lent else { return }
        for (plane, asked) in zip(answer.planes, wanted.planes) {
            guard asked.bytesPerLine == 0 || asked.bytesPerLine == plane.bytesPerLine else {
                throw refusal(
                    device, "it wants lines of \(plane.bytesPerLine) bytes, and they have \(asked.bytesPerLine)")
            }
            guard configuration.input == .lent || asked.byteCount == 0 || asked.byteCount >= plane.byteCount else {
                throw refusal(
                    device, "it wants buffers of \(plane.byteCount) bytes, and they have \(asked.byteCount)")
            }
        }
    }

    /// Starts both sides; with a higher level where the device refuses.
    static func start(
        _ device: V4L2Device, _ raw: V4L2Queue, _ coded: V4L2Queue, _ controls: inout EncoderControls
    ) throws(Failure) {
        while true {
            do throws(Errno) {
                for index in 0..<coded.count { try coded.enqueue(index) }
                try raw.start()
                try coded.start()
                return
            } catch {
                // Both, also the one that did not start: that gives the queued buffers back.
                try? coded.stop()
                try? raw.stop()
                let mayBeLevel = error.code != EBUSY && error.code != ENOMEM && error.code != ENODEV
                guard mayBeLevel, controls.raiseLevel() else { throw V4L2Failure.using(device, "start", error) }
            }
        }
    }

    private static func request<Answer>(
        _ device: V4L2Device, _ doing: String, _ body: () throws(Errno) -> Answer
    ) throws(Failure) -> Answer {
        do throws(Errno) {
            return try body()
        } catch {
            throw V4L2Failure.using(device, doing, error)
        }
    }

    private static func refusal(_ device: V4L2Device, _ cause: String) -> Failure {
        Failure(.encoderFailed, "cannot encode these pictures with \(device.name)", because: cause)
    }
}

extension HardwareEncoder.Input {
    /// Whose memory the raw pictures' buffers are.
    fileprivate var memory: V4L2Memory {
        switch self {
        case .imported: .imported
        case .lent: .exported
        case .written, .copied: .mapped
        }
    }
}
