import Glibc
import Judges
import Linux
import Media
import Testing
import V4L2

@testable import Capture

extension BoardTests {
    @Suite("What tells of a signal")
    struct ReceiverTests {
        @Test("the nodes of a device's media controller are found", arguments: ["hdmi", "hdmi-planes", "converter"])
        func nodes(name: String) throws {
            let path = try Board.shell("readlink -f /dev/board/\(name)").prefix { !$0.isNewline }
            let nodes = MediaGraph.nodes(behind: "/dev/board/\(name)")
            #expect(nodes.contains(String(path)), "\(nodes)")
            #expect(MediaGraph.subdevices(behind: "/dev/board/\(name)").isEmpty)
            #expect(MediaGraph.nodes(behind: "/dev/null").isEmpty)
        }

        /// The board has no receiver whose timings are known by a sub-device only. The converter knows none, and an HDMI
        /// input answers everything that a sub-device would be asked.
        @Test("where a device knows no timings, the sub-device behind it is asked, and listened to")
        func subdevice() throws {
            try Board.control("hdmi", "on", "1280x720@60")
            defer { try? Vivid.set(.selected, on: "/dev/board/hdmi") }
            let device = try V4L2Device(opening: "/dev/board/converter")
            #expect(V4L2Receiver(device) { [] }.timingsNode == nil)
            let receiver = V4L2Receiver(device) { ["/dev/null", "/dev/no-such-device", "/dev/board/hdmi"] }
            #expect(receiver.timingsNode is V4L2Subdevice && receiver.tellsOfChanges && receiver.edidPad == 0)
            let rate = try #require(FrameRate(60))
            let shape = SignalShape(width: 1280, height: 720, rate: rate, isInterlaced: false)
            let reading = receiver.read()
            #expect(reading.state == .locked(shape))
            try receiver.use(try #require(reading.timings))
            #expect(try receiver.timingsNode?.timings().shape == shape)
            let before = MonotonicTime.now
            try Vivid.set(.noLock, on: "/dev/board/hdmi")
            var entry = pollfd(fd: receiver.descriptor, events: Int16(POLLPRI), revents: 0)
            #expect(poll(&entry, 1, 5000) == 1)
            let change = try #require(try receiver.nextChange())
            #expect(change > before && change < .now)
            #expect(receiver.read().state == .noLock)
            try Vivid.set(.outOfRange, on: "/dev/board/hdmi")
            #expect(receiver.read().state == .outOfRange)
            try Vivid.set(.none, on: "/dev/board/hdmi")
            #expect(receiver.read().state == .noCable)
        }

        @Test("a source that has power and sends nothing is no missing cable")
        func power() throws {
            try Board.control("hdmi", "on", "1280x720@60")
            let device = try V4L2Device(opening: "/dev/board/hdmi")
            let present = try EDID(try device.edid(), named: "the driver's own")
            // Without an EDID no source would send anything.
            try Board.shell("v4l2-ctl -d /dev/board/hdmi --clear-edid >/dev/null")
            defer { try? device.set(present) }
            #expect(V4L2Receiver(device) { [] }.read().state == .noSignal)
            #expect(try device.edid().isEmpty)
        }
    }
}
