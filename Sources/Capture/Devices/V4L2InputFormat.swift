import Linux
import Media
import V4L2

extension V4L2Input {
    /// What a device was set to.
    struct Setting {
        var format: V4L2Format
        var layout: V4L2Layout
        var rate: FrameRate
    }

    /// Chooses format and rate from what the device offers, and sets them.
    static func setFormat(
        _ device: V4L2Device, _ type: V4L2BufferType, size: V4L2Sizes.Size?, rate: FrameRate?,
        only layout: PixelFormat?
    ) throws(Failure) -> Setting {
        let offers = device.offers(type, wanted: size).filter { layout == nil || $0.layout.pixelFormat == layout }
        // What comes in by HDMI has a size of its own: it is recorded as it is, also where the device could scale it.
        let native = size == nil ? device.signalSize.flatMap { CaptureChoice(from: offers, size: $0, rate: rate) } : nil
        guard let choice = native ?? CaptureChoice(from: offers, size: size, rate: rate) else {
            throw refusal(device, offers, size)
        }
        let offer = choice.offer
        let wanted = V4L2Format(
            width: offer.size.width, height: offer.size.height, fourcc: offer.layout.fourcc,
            planes: offer.layout.hasSeparatePlanes
                ? offer.layout.pixelFormat.planes(width: 16, height: 16).count : 1)
        let format: V4L2Format
        let set: FrameRate?
        do {
            format = try device.set(wanted, type)
            // Drivers without a setting for it go at the rate of their signal.
            set = try device.set(rate: choice.rate ?? rate ?? .thirty, type)
        } catch {
            throw V4L2Failure.using(device, "set the format of", error)
        }
        try check(format, wanted, device)
        return Setting(format: format, layout: offer.layout, rate: set ?? choice.rate ?? rate ?? .thirty)
    }

    private static func check(_ format: V4L2Format, _ wanted: V4L2Format, _ device: V4L2Device) throws(Failure) {
        guard format.isProgressive else {
            throw Failure(
                .noSource, "cannot record from \(device.name)", because: "its pictures are interlaced",
                mend: "Set its source to a progressive picture.")
        }
        guard (format.width, format.height, format.fourcc) == (wanted.width, wanted.height, wanted.fourcc) else {
            let name = V4L2Layout.name(wanted.fourcc)
            throw Failure(
                .noSource, "cannot record from \(device.name)",
                because: "it offers \(name) \(wanted.width)x\(wanted.height) and does not take it",
                mend: "Choose another --size.")
        }
    }

    private static func refusal(_ device: V4L2Device, _ offers: [CaptureOffer], _ size: V4L2Sizes.Size?) -> Failure {
        guard let size, !offers.isEmpty else {
            let codes = device.captureType.map { device.layouts($0).map(V4L2Layout.name) } ?? []
            return Failure(
                .noSource, "cannot record from \(device.name)",
                because: codes.isEmpty
                    ? "it offers no pictures"
                    : "its pictures are of kinds that are not known here: \(codes.joined(separator: ", "))")
        }
        var sizes: [V4L2Sizes.Size] = []
        for offer in offers where !sizes.contains(offer.size) { sizes.append(offer.size) }
        let list = sizes.map(\.description).joined(separator: ", ")
        return Failure(
            .invalidValue, "cannot record \(size) from \(device.name)", because: "it does not have this size",
            mend: "Choose one of these with --size: \(list).")
    }
}
