import CDRM
import Glibc
import Linux
import Media
import Testing

@testable import KMS

@Suite("What was read of a screen")
struct ScreenPictureTests {
    private let mode = ScreenMode(connector: "HDMI-A-1", width: 640, height: 480, refresh: .thirty, hasBlanks: true)

    private func plane(_ id: UInt32, depth: Int, buffer: Int = 0) -> ScreenPlane {
        var plane = ScreenPlane()
        (plane.id, plane.depth) = (id, depth)
        plane.pieces.append(.init(buffer: buffer, offset: 0, bytesPerLine: 2560))
        return plane
    }

    /// Stands for a piece of memory: its other end tells whether its descriptor is still open.
    private final class Piece {
        let descriptor: Int32
        private let other: Int32

        init() {
            var ends: [Int32] = [-1, -1]
            pipe(&ends)
            (other, descriptor) = (ends[0], ends[1])
        }

        deinit { close(other) }

        var isOpen: Bool {
            var end = pollfd(fd: other, events: 0, revents: 0)
            return poll(&end, 1, 0) == 0
        }
    }

    private func memory() -> Int32 { Piece().descriptor }

    @Test("planes lie in the order of their depths, and are numbered by it")
    func order() {
        let picture = ScreenPicture()
        #expect(picture.own(memory(), inode: 1, byteCount: 10) == 0)
        for (id, depth) in [(5, 70), (6, -2), (7, 70), (8, 900), (9, 0)] {
            picture.put(plane(UInt32(id), depth: depth))
        }
        picture.finish(mode)
        #expect(picture.planes.map(\.id) == [6, 9, 5, 7, 8])
        #expect(picture.planes.map(\.depth) == [0, 1, 2, 3, 4])
    }

    @Test("memory that comes twice is kept once, and all of it is closed in the end")
    func memoryOnce() {
        let pieces = (0..<3).map { _ in Piece() }
        let picture = ScreenPicture()
        #expect(picture.own(pieces[0].descriptor, inode: 7, byteCount: 10) == 0)
        #expect(picture.own(pieces[1].descriptor, inode: 8, byteCount: 20) == 1)
        #expect(picture.own(pieces[2].descriptor, inode: 7, byteCount: 10) == 0)
        #expect(pieces.map(\.isOpen) == [true, true, false])
        picture.clear()
        #expect(pieces.map(\.isOpen) == [false, false, false])
    }

    @Test("more memory than a view takes is refused, and closed")
    func tooMuch() {
        let pieces = (0...ScreenView.mostBuffers).map { _ in Piece() }
        let picture = ScreenPicture()
        for (number, piece) in pieces.dropLast().enumerated() {
            #expect(picture.own(piece.descriptor, inode: UInt64(number), byteCount: 1) == number)
        }
        #expect(picture.own(pieces[ScreenView.mostBuffers].descriptor, inode: 1000, byteCount: 1) == nil)
        #expect(pieces.count { $0.isOpen } == ScreenView.mostBuffers)
    }

    @Test("a view gets the memory, and none where it is known")
    func hand() {
        let view = ScreenView()
        let picture = ScreenPicture()
        let pieces = [Piece(), Piece()]
        func read(_ piece: Piece) {
            _ = picture.own(piece.descriptor, inode: 7, byteCount: 10)
            picture.put(plane(5, depth: 0))
            picture.finish(mode)
        }
        read(pieces[0])
        picture.hand(to: view, known: 0)
        #expect(view.buffers.map(\.byteCount) == [10])
        #expect(!view.isKnown)
        #expect(pieces[0].isOpen)
        let signature = view.signature
        view.clear()
        #expect(!pieces[0].isOpen)
        read(pieces[1])
        picture.hand(to: view, known: signature)
        #expect(view.isKnown)
        #expect(view.buffers.isEmpty)
        #expect(view.planes.count == 1)
        #expect(view.signature == signature)
        #expect(!pieces[1].isOpen)
    }

    @Test("each thing that makes another picture makes another signature; a framebuffer's number does not")
    func signature() {
        func signature(inode: UInt64 = 7, mode: ScreenMode? = nil, _ change: (inout ScreenPlane) -> Void = { _ in })
            -> UInt64
        {
            let picture = ScreenPicture()
            _ = picture.own(memory(), inode: inode, byteCount: 10)
            var plane = plane(5, depth: 0)
            change(&plane)
            picture.put(plane)
            picture.finish(mode ?? self.mode)
            return picture.signature
        }
        let plain = signature()
        #expect(signature { $0.framebuffer = 99 } == plain)
        var smaller = mode
        smaller.width = 320
        let others = [
            signature(inode: 8), signature(mode: smaller), signature { $0.x = 1 }, signature { $0.y = -1 },
            signature { $0.sourceX = 1 << 16 }, signature { $0.sourceHeight = 1 }, signature { $0.targetWidth = 3 },
            signature { $0.rotation = 2 }, signature { $0.alpha = 0x7FFF }, signature { $0.blend = .coverage },
            signature { $0.fourcc = 0x3432_5258 }, signature { $0.modifier = 1 }, signature { $0.matrix = 1 },
            signature { $0.isFullRange = true }, signature { $0.pieces[0].offset = 4096 },
            signature { $0.pieces[0].bytesPerLine = 5120 }, signature { $0.kind = .cursor },
            signature { $0.width = 640 },
        ]
        #expect(Set(others + [plain, 0]).count == others.count + 2)
    }

    @Test("a screen without planes has a signature of its own")
    func empty() {
        let picture = ScreenPicture()
        picture.finish(mode)
        #expect(picture.signature != 0)
    }

    @Test("the rate of a mode is that of its blanks; an interlaced one has two in a frame")
    func rate() {
        var timing = drm_mode_modeinfo()
        (timing.clock, timing.htotal, timing.vtotal) = (148_500, 2200, 1125)
        #expect(LitScreen.refresh(of: timing) == FrameRate(60))
        timing.clock = 148_352
        #expect(LitScreen.refresh(of: timing).description == "59.94")
        timing.clock = 74_250
        timing.flags = UInt32(DRM_MODE_FLAG_INTERLACE)
        #expect(LitScreen.refresh(of: timing) == FrameRate(60))
        timing.htotal = 0
        #expect(LitScreen.refresh(of: timing) == FrameRate(60))
        // No display is as slow as a pixel clock of 1 kHz would have it.
        (timing.clock, timing.htotal) = (1, 2200)
        #expect(LitScreen.refresh(of: timing) == FrameRate(60))
    }
}
