import CKernel
import Glibc
import Linux
import Media
import V4L2

/// A capture device that is open, with what tells of its signal. Used by one thread.
final class CaptureNode {
    let device: V4L2Device
    /// Its queue of captured pictures.
    let type: V4L2BufferType
    let receiver: V4L2Receiver
    /// Whether it wakes a waiting program only where that began to wait while nothing was there.
    let rewatches: Bool

    /// What a person asked for.
    struct Wish {
        /// Nil for the signal's own size, or the best.
        var size: V4L2Sizes.Size?
        /// Nil for the signal's own rate, or 30 and what comes nearest.
        var rate: FrameRate?
        /// Nil for any.
        var layout: PixelFormat?
    }

    /// - Throws: `Failure` of kind noSource when it cannot be opened or captures no pictures.
    init(opening path: String) throws(Failure) {
        device = try V4L2Device(opening: path)
        guard let type = device.captureType else {
            throw Failure(
                .noSource, "cannot record from \(device.name)", because: "it does not capture pictures",
                mend: "kinebox devices lists those that do.")
        }
        self.type = type
        rewatches = device.driver == "v4l2 loopback"
        receiver = V4L2Receiver(device) { MediaGraph.subdevices(behind: path) }
    }

    /// Whether its memory lies in pieces that other devices' hardware cannot read (videobuf2's vmalloc).
    var hasScatteredMemory: Bool { device.driver == "uvcvideo" || device.driver == "v4l2 loopback" }

    /// Shows an EDID to the source, where the device takes one and has another one now.
    /// - Returns: whether it was shown: then the source looks away for a moment.
    /// - Throws: `Failure` of kind invalidValue when there is no room for it, of kind noSource when the device is busy.
    func show(_ edid: EDID?) throws(Failure) -> Bool {
        guard let edid, let target = receiver.timingsNode else { return false }
        let pad = receiver.edidPad
        do {
            if edid.isKept(in: try target.edid(pad: pad)) { return false }
            try target.set(edid, pad: pad)
            return true
        } catch {
            if error.code == ENOTTY || error.code == EINVAL { return false }
            guard error.code == E2BIG else { throw V4L2Failure.using(device, "set the EDID of", error) }
            throw Failure(
                .invalidValue, "cannot show the EDID at \(device.name)",
                because: "it has \(edid.blockCount) blocks, more than the input has room for",
                mend: "Use a shorter one.")
        }
    }

    /// Sets the device to what comes in.
    /// - Throws: `Failure` of kind noSource when the device does not take it.
    func use(_ reading: V4L2Receiver.Reading) throws(Failure) {
        guard let timings = reading.timings else { return }
        do {
            try receiver.use(timings)
        } catch {
            throw V4L2Failure.using(device, "set the timings of", error)
        }
    }

    /// The formats that fit a wish, those that make least work first, each as the driver would set it.
    /// - Parameter shape: what comes in; nil where the device does not know.
    /// - Throws: `Failure` of kind noSource, or invalidValue for a size that the device does not have.
    func offers(_ wish: Wish, _ shape: SignalShape?) throws(Failure) -> [V4L2Format] {
        let known = device.layouts(type).compactMap(V4L2Layout.of).filter {
            wish.layout == nil || $0.pixelFormat == wish.layout
        }
        let size: V4L2Sizes.Size
        var layouts = known.sorted { Self.work($0) < Self.work($1) }
        if let shape {
            // What comes in by HDMI has a size of its own: it is recorded as it is, also where the device could scale it.
            size = wish.size ?? V4L2Sizes.Size(shape.width, shape.height)
            guard size.width % 2 == 0, size.height % 2 == 0 else {
                throw Failure(
                    .noSource, "cannot record from \(device.name)",
                    because: "what comes in has an odd number of columns or lines: \(size)",
                    mend: "Set the source to a usual size, such as 1920x1080.")
            }
        } else {
            let choice = try choice(wish)
            size = choice.offer.size
            layouts = choice.alternatives.map(\.layout)
        }
        let formats = layouts.compactMap { layout -> V4L2Format? in
            let pieces = layout.hasSeparatePlanes ? layout.pixelFormat.planes(width: 16, height: 16).count : 1
            let wanted = V4L2Format(width: size.width, height: size.height, fourcc: layout.fourcc, planes: pieces)
            guard let format = trying(wanted), V4L2BufferLayout(format, layout) != nil else { return nil }
            return format
        }
        if formats.isEmpty { throw refusal(wish, size) }
        return formats
    }

    /// What the driver would make of a format (VIDIOC_TRY_FMT); nil when it would change size or layout, or the pictures
    /// would be interlaced.
    func trying(_ format: V4L2Format) -> V4L2Format? {
        guard let answer = try? device.trying(format, type) else { return nil }
        let isAsAsked = (answer.width, answer.height, answer.fourcc) == (format.width, format.height, format.fourcc)
        return isAsAsked && answer.isProgressive ? answer : nil
    }

    /// Sets the format, and the rate where the signal does not decide it.
    /// - Throws: `Failure` of kind noSource when the driver does not take it.
    func set(_ wanted: V4L2Format, _ wish: Wish, _ shape: SignalShape?) throws(Failure) -> CaptureSetting {
        let format: V4L2Format
        var rate = shape?.rate
        do {
            format = try device.set(wanted, type)
            if rate == nil {
                let asked = shape == nil ? try? choice(wish).rate : nil
                rate = try device.set(rate: asked ?? wish.rate ?? .thirty, type) ?? asked ?? wish.rate
            }
        } catch {
            throw V4L2Failure.using(device, "set the format of", error)
        }
        guard let layout = V4L2Layout.of(format.fourcc), format.isProgressive,
            (format.width, format.height, format.fourcc) == (wanted.width, wanted.height, wanted.fourcc)
        else {
            let name = V4L2Layout.name(wanted.fourcc)
            throw Failure(
                .noSource, "cannot record from \(device.name)",
                because: "it offers \(name) \(wanted.width)x\(wanted.height) and does not take it",
                mend: "Choose another --size.")
        }
        return CaptureSetting(format: format, layout: layout, rate: rate ?? .thirty)
    }

    private func choice(_ wish: Wish) throws(Failure) -> CaptureChoice {
        let offers = device.offers(type, wanted: wish.size).filter {
            wish.layout == nil || $0.layout.pixelFormat == wish.layout
        }
        guard let choice = CaptureChoice(from: offers, size: wish.size, rate: wish.rate) else {
            throw refusal(wish, wish.size)
        }
        return choice
    }

    private static func work(_ layout: V4L2Layout) -> Int {
        V4L2Layout.all.firstIndex(of: layout) ?? V4L2Layout.all.count
    }

    private func refusal(_ wish: Wish, _ size: V4L2Sizes.Size?) -> Failure {
        let all = device.offers(type, wanted: wish.size)
        let offers = all.filter { wish.layout == nil || $0.layout.pixelFormat == wish.layout }
        if let layout = wish.layout, offers.isEmpty, !all.isEmpty {
            var names: [String] = []
            for offer in all where !names.contains(offer.layout.name) { names.append(offer.layout.name) }
            return Failure(
                .invalidValue, "cannot record \(layout.rawValue) from \(device.name)",
                because: "it does not give its pictures so", mend: "It gives \(names.joined(separator: ", ")).")
        }
        guard let size, !offers.isEmpty else {
            let codes = device.layouts(type).map(V4L2Layout.name)
            return Failure(
                .noSource, "cannot record from \(device.name)",
                because: codes.isEmpty
                    ? "it offers no pictures"
                    : "its pictures are of kinds that cannot be used: \(codes.joined(separator: ", "))")
        }
        var sizes: [V4L2Sizes.Size] = []
        for offer in offers where !sizes.contains(offer.size) { sizes.append(offer.size) }
        let list = sizes.map(\.description).joined(separator: ", ")
        return Failure(
            .invalidValue, "cannot record \(size) from \(device.name)", because: "it does not have this size",
            mend: "Choose one of these with --size: \(list).")
    }
}
