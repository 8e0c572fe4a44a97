import CDRM
import Glibc
import KMS
import Linux
import Media
import Testing

@testable import KMS

extension BoardTests {
    /// The board's screen, driven by board-screen, as its card's reader sees it.
    @Suite("What a card tells of its screen")
    struct CardReaderTests {
        @Test("planes are those that are shown: picture, overlay, cursor, each where it lies, the lowest first")
        func planes() throws {
            try Board.control("screen", "show", "640x480")
            try Board.control("screen", "overlay", "1", "-20", "50", "200", "100", "ARGB8888", "90")
            try Board.control("screen", "cursor", "600", "400")
            let watcher = try ScreenWatcher()
            try watcher.read()
            let planes = watcher.view.planes
            try #require(planes.map(\.kind) == [.primary, .overlay, .cursor])
            #expect(planes.map(\.depth) == [0, 1, 2])
            #expect(planes.map { [$0.x, $0.y] } == [[0, 0], [-20, 50], [600, 400]])
            #expect(planes.map(\.rotation) == [1, 2, 1])
            #expect(planes.map(\.fourcc) == [0x3432_5258, 0x3432_5241, 0x3432_5241])
            #expect(planes.map(\.modifier) == [0, 0, 0])
            #expect(planes.map(\.alpha) == [0xFFFF, 0xFFFF, 0xFFFF])
            #expect([planes[0].width, planes[0].height] == [640, 480])
            #expect([planes[0].targetWidth, planes[0].targetHeight] == [640, 480])
            #expect([planes[0].sourceWidth, planes[0].sourceHeight] == [640 << 16, 480 << 16])
            #expect([planes[1].targetWidth, planes[1].targetHeight] == [200, 100])
            #expect([planes[2].width, planes[2].height] == [64, 64])
            for plane in planes { #expect(plane.pieces.count == 1) }
            #expect(watcher.view.buffers.count == 3)
            // Picture 0 has at (x, y): red x, green y, blue x / 8 xor y / 8.
            #expect(try watcher.pixel(planes[0], 100, 33) & 0xFFFFFF == 100 << 16 | 33 << 8 | UInt32(12 ^ 4))
            // The cursor: alpha 4 x, premultiplied red 255, green 4 y.
            let alpha: UInt32 = 4 * 50
            #expect(try watcher.pixel(planes[2], 50, 0) == alpha << 24 | alpha << 16 | alpha)
            let mode = try #require(watcher.mode)
            #expect(mode.connector == "Virtual-1")
            #expect([mode.width, mode.height] == [640, 480])
            #expect(mode.hasBlanks)
            try Board.control("screen", "stop")
        }

        @Test("a signature stands for planes and memory: it comes back with them, and what is known brings no memory")
        func signature() throws {
            try Board.control("screen", "show", "640x480")
            try Board.control("screen", "cursor", "10", "10")
            let watcher = try ScreenWatcher()
            try watcher.read()
            let first = watcher.view.signature
            try watcher.read(ScreenOrder(known: first))
            #expect(watcher.view.signature == first)
            #expect(watcher.view.isKnown)
            #expect(watcher.view.buffers.isEmpty)
            #expect(watcher.view.planes.count == 2)
            try Board.control("screen", "cursor", "11", "10")
            try watcher.read(ScreenOrder(known: first))
            #expect(watcher.view.signature != first)
            #expect(!watcher.view.isKnown)
            #expect(watcher.view.buffers.count == 2)
            try Board.control("screen", "cursor", "10", "10")
            try watcher.read()
            #expect(watcher.view.signature == first)
            try Board.control("screen", "flip")
            try watcher.read()
            #expect(watcher.view.signature != first)
            try Board.control("screen", "stop")
        }

        @Test("a thousand readings leave no handle and no descriptor")
        func leavesNothing() throws {
            try Board.control("screen", "show", "320x240")
            try Board.control("screen", "cursor", "10", "10")
            let watcher = try ScreenWatcher()
            try watcher.read()
            watcher.view.clear()
            let descriptors = Self.descriptorCount
            for _ in 0..<1000 { try watcher.read() }
            watcher.view.clear()
            #expect(Self.descriptorCount == descriptors)
            // The kernel gives the lowest number that is free.
            let reader = try #require(watcher.reader as? CardReader)
            let screen = try #require(reader.screen)
            var buffer = drm_mode_create_dumb()
            (buffer.width, buffer.height, buffer.bpp) = (64, 64, 32)
            try screen.card.request(CDRM_MODE_CREATE_DUMB, &buffer)
            #expect(buffer.handle == 1)
            try Board.control("screen", "stop")
        }

        private static var descriptorCount: Int { SystemDirectory.entries("/proc/self/fd").count }

        @Test("who comes after the reader becomes master and sets modes; the reader never is")
        func mastership() throws {
            try Board.control("screen", "stop")
            let first = try ScreenCard(opening: "/dev/board/screen")
            let isMaster = first.isMaster
            #expect(!isMaster)
            // It fails where it cannot become master.
            try Board.control("screen", "show", "640x480")
            let watcher = try ScreenWatcher()
            try watcher.read()
            #expect(watcher.mode?.width == 640)
            let reader = try #require(watcher.reader as? CardReader)
            let isReaderMaster = try #require(reader.screen).card.isMaster
            #expect(!isReaderMaster)
            // The next one comes while the reader has the card open.
            try Board.control("screen", "show", "800x600")
            try watcher.read { _ in watcher.mode?.width == 800 }
            try Board.control("screen", "mode", "640x480")
            try watcher.read { _ in watcher.mode?.width == 640 }
            try Board.control("screen", "stop")
        }

        @Test("a connector's name chooses it, and one that is not there is told to be absent")
        func connectors() throws {
            try Board.control("screen", "show", "640x480")
            let named = try ScreenWatcher(connector: "Virtual-1")
            try named.read()
            #expect(named.mode?.connector == "Virtual-1")
            let other = try ScreenWatcher(connector: "HDMI-A-7")
            try other.read()
            #expect(other.view.state == .absent)
            #expect(other.view.planes.isEmpty)
            try Board.control("screen", "stop")
        }

        @Test("a card without screens is left alone")
        func withoutScreens() throws {
            try Board.shell("modprobe vgem")
            let card = "/dev/dri/" + (try Board.shell("ls /sys/devices/*/vgem/drm | grep ^card")).dropLast()
            try Board.until("[ -e \(card) ]")
            #expect(throws: Errno(EOPNOTSUPP)) { try ScreenCard.init(opening: card).raw }
            #expect(ScreenList.all().map(\.connector) == ["Virtual-1"])
            try Board.shell("rmmod vgem")
        }
    }
}
