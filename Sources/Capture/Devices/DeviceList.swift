import Glibc
import Linux
import Media
import V4L2

/// The devices of this machine that pictures and sound can be captured from, found by what they can.
public enum DeviceList {
    /// All devices that capture pictures. Devices are opened for a moment, and left as they were.
    public static func video() -> [CaptureDevice] {
        videoNodes().compactMap(entry)
    }

    /// The first device that pictures can be captured from at once, as `--video auto` takes it; nil when there is none.
    public static func firstReadyVideo() -> CaptureDevice? {
        video().first { $0.state == .ready }
    }

    /// The path of a device.
    /// - Parameter name: a path, or a card's name or bus.
    /// - Throws: `Failure` of kind noSource when there is none, or when there are several.
    public static func path(ofVideo name: String) throws(Failure) -> String {
        if name.hasPrefix("/") { return name }
        var found: [String] = []
        for node in videoNodes() {
            guard let device = try? V4L2Device(opening: node.path), device.captureType != nil else { continue }
            if device.card == name || device.bus == name || device.name == name { found.append(node.path) }
        }
        guard let path = found.first else {
            throw Failure(
                .noSource, "cannot record from \(name)", because: "there is no such device",
                mend: "kinebox devices lists those that there are.")
        }
        guard found.count == 1 else {
            throw Failure(
                .noSource, "cannot record from \(name)", because: "several devices have this name",
                mend: "Choose one by where it is attached, as kinebox devices prints it.")
        }
        return path
    }

    /// A node that captures pictures, or might if this user were allowed to look; nil for others.
    private static func entry(_ node: Node) -> CaptureDevice? {
        do {
            let device = try V4L2Device(opening: node.path)
            guard let type = device.captureType else { return nil }
            return describe(device, type)
        } catch {
            guard access(node.path, R_OK | W_OK) != 0, errno == EACCES, node.isFirst else { return nil }
            return CaptureDevice(
                card: node.card, location: "", path: node.path, argument: node.path,
                state: .denied(mend: error.mend), formats: [])
        }
    }

    private static func describe(_ device: V4L2Device, _ type: V4L2BufferType) -> CaptureDevice {
        let receiver = V4L2Receiver(device) { MediaGraph.subdevices(behind: device.path) }
        let signal = receiver.read().state
        let state: CaptureDevice.State = device.isBusy(type) ? .busy : signal.isLocked ? .ready : .noSignal
        let formats = device.offers(type, wanted: nil).map(\.description)
        return CaptureDevice(
            card: device.card, location: device.bus, path: device.path,
            argument: device.bus.isEmpty ? device.path : device.bus, state: state, formats: formats, signal: signal,
            color: signal.isLocked ? color(device, type) : nil)
    }

    /// What the samples mean that the device is set to; nil for a layout that is not understood.
    private static func color(_ device: V4L2Device, _ type: V4L2BufferType) -> ColorDescription? {
        guard let format = try? device.format(type), let layout = V4L2Layout.of(format.fourcc) else { return nil }
        return format.color.description(layout.pixelFormat, width: format.width, height: format.height)
    }

    /// A device node, and what the system says of it without opening it.
    private struct Node {
        var path: String
        var card: String
        /// Whether it is the first node of its device: the others are for metadata and the like.
        var isFirst: Bool
    }

    /// The paths of all video devices, whatever they can.
    static func videoPaths() -> [String] { videoNodes().map(\.path) }

    private static func videoNodes() -> [Node] {
        let numbers = SystemDirectory.entries("/dev").compactMap { name -> Int? in
            name.hasPrefix("video") ? Int(name.dropFirst(5)) : nil
        }
        return numbers.sorted().map { number in
            let description = "/sys/class/video4linux/video\(number)"
            return Node(
                path: "/dev/video\(number)", card: SystemDirectory.line("\(description)/name") ?? "video device",
                isFirst: SystemDirectory.line("\(description)/index") ?? "0" == "0")
        }
    }
}
