import Capture
import Encoding
import Media
import Pixels
import V4L2

extension EncoderLadder {
    /// Opens the best encoder that works for the source as it is now, in place of the one that was. All frames must be
    /// back, and the source must not be running.
    /// - Throws: `Failure` when none works.
    func open() throws(Failure) {
        close()
        var plan = plan
        // A recording that has been going on is worth more than the wish for hardware.
        if failures > 1 { plan.preference = .software }
        renewal = nil
        let all = try plan.maker.paths(for: source, plan)
        allPaths = all
        var reason = Failure(.encoderFailed, "cannot encode", because: "there is no encoder")
        for (number, path) in all.enumerated() {
            do throws(Failure) {
                if let device = source as? any DeviceVideoSource { try choose(path, of: device) }
                try openRunning(path)
                paths = all[number...]
                return
            } catch {
                reason = error
                if number + 1 < all.count {
                    notices.append(EncoderNotice(.failure, "not possible: \(path.reason). \(error)"))
                }
            }
        }
        throw reason
    }

    private func choose(_ path: VideoPath, of device: any DeviceVideoSource) throws(Failure) {
        guard let wanted = path.captureFormat else { return }
        let chosen = try device.choose(wanted)
        guard path.transfer.isByProcessor || (chosen.planes == wanted.planes && chosen.fourcc == wanted.fourcc) else {
            throw Failure(
                .encoderFailed, "cannot share the pictures of \(source.name) with the encoder",
                because: "the driver lays them out otherwise than it had promised")
        }
        guard case .converter(let way) = path.transfer else { return }
        guard let converted = device as? ConvertedSource else {
            throw Failure(
                .encoderFailed, "cannot convert the pictures of \(source.name) by \(way.card)",
                because: "its pictures do not go through converters")
        }
        try converted.convert(
            ConvertedSource.Setting(path: way.path, input: way.input, output: way.output, isLent: way.isLent))
    }

    /// Opens an encoder and prepares the source's memory for it; the source may be running, without a frame out.
    func openRunning(_ path: VideoPath) throws(Failure) {
        let device = source as? any DeviceVideoSource
        // The converter of a way that failed is left behind.
        if case .converter = path.transfer {} else { try (device as? ConvertedSource)?.convert(nil) }
        switch path.encoder {
        case .software:
            try device?.prepare(.process)
            use(try openSoftware(), path)
        case .hardware(let hardware):
            let encoder = try awaitOpening(hardware, path.transfer)
            try prepare(for: encoder, hardware, path.transfer)
            use(encoder, path)
        }
    }

    /// Sets the source's memory up for an encoder; no frame may be out.
    func prepare(
        for encoder: any VideoEncoder, _ hardware: VideoPath.Hardware, _ transfer: VideoPath.Transfer
    ) throws(Failure) {
        guard let device = source as? any DeviceVideoSource, let encoder = encoder as? any DeviceVideoEncoder else {
            return
        }
        switch HardwareEncoder.Input(transfer) {
        case .imported: try device.prepare(.device)
        case .lent: try device.prepare(.lent(encoder.lentBuffers))
        case .written:
            guard let layout = V4L2Layout.of(hardware.format.fourcc) else {
                throw Failure(.encoderFailed, "cannot write for the encoder", because: "its layout is not known here")
            }
            try device.prepare(.written(encoder.frames, as: layout.pixelFormat))
        case .copied: break
        }
    }

    /// Opens a device on another thread.
    func opening(
        _ hardware: VideoPath.Hardware, _ transfer: VideoPath.Transfer
    ) throws(Failure) -> PendingEncoder {
        var shape = shape
        let input = HardwareEncoder.Input(transfer)
        if case .written = input, let layout = V4L2Layout.of(hardware.format.fourcc)?.pixelFormat {
            // The encoder's memory must be there before the source can convert into it: what it will get is told ahead.
            shape.color = Conversion.color(of: shape.pixelFormat, shape.color, to: layout)
            shape.pixelFormat = layout
        }
        let (maker, bitrate, told) = (plan.maker, plan.bitrate(for: shape), shape)
        return try PendingEncoder { () throws(Failure) in
            try maker.open(hardware, told, input, bitrate: bitrate)
        }
    }

    private func awaitOpening(
        _ hardware: VideoPath.Hardware, _ transfer: VideoPath.Transfer
    ) throws(Failure) -> any VideoEncoder {
        let opening = try opening(hardware, transfer)
        while true {
            if let result = opening.take() { return try result.get() }
            guard meanwhile() else {
                throw Failure(
                    .encoderFailed, "cannot open \(hardware.card)", because: "the recording ended before it was there")
            }
        }
    }

    private func openSoftware() throws(Failure) -> any VideoEncoder {
        try plan.maker.openSoftware(softwareConfiguration)
    }

    /// What the software encoder is opened with.
    var softwareConfiguration: SoftwareEncoder.Configuration {
        let shape = shape
        var configuration = SoftwareEncoder.Configuration(format: shape, bitrate: plan.bitrate(for: shape))
        configuration.preset = plan.preset
        configuration.threads = plan.threads
        configuration.isLive = source.pace == .live
        return configuration
    }

    /// Takes an encoder that is open into use.
    func use(_ encoder: any VideoEncoder, _ path: VideoPath) {
        prepared = path.transfer
        current = encoder
        self.path = path
        format = shape
        let descriptor = encoder.descriptor
        if (try? epoll.add(descriptor, for: .readable, token: 0)) != nil { watched = descriptor }
    }

    /// The source's shape, at the rate that is handed over.
    var shape: VideoFormat {
        var shape = source.format
        shape.hasConstantRate = !source.givesOnlyChanges
        // A source that gives only changes has left pictures out by itself, and may give more than were wanted.
        guard !source.givesOnlyChanges else { return shape }
        if let wantedRate, wantedRate.perSecond < shape.rate.perSecond { shape.rate = wantedRate }
        return shape
    }
}
