import CKernel
import Capture
import Glibc
import Judges
import Linux
import Media
import Testing
import V4L2

extension BoardTests {
    @Suite("A camera's JPEG pictures, as recordings use them")
    struct WebcamInputTests {
        private static let path = "/dev/board/webcam"
        private static let size = (width: 320, height: 240)

        /// Plays pictures into v4l2loopback, one each time that it is told to.
        private final class Player {
            private let device: V4L2Device

            init() throws {
                device = try V4L2Device(opening: path)
                var format = V4L2Format(width: size.width, height: size.height, fourcc: CKERNEL_FOURCC_MJPEG)
                format.planes[0].byteCount = 64 << 10
                _ = try device.set(format, .output)
                _ = try device.set(rate: .thirty, .output)
            }

            func play(_ picture: [UInt8]) throws {
                let written = picture.withUnsafeBytes { write(device.raw, $0.baseAddress, $0.count) }
                #expect(written == picture.count)
            }
        }

        private static func picture() throws -> [UInt8] {
            try Board.shell(
                "ffmpeg -v error -y -f lavfi -i color=gray:size=320x240 -frames:v 1 -c:v mjpeg -f mjpeg /tmp/grey.jpg")
            return Array(try Board.run("cat", "/tmp/grey.jpg").output)
        }

        /// Plays pictures, 30 a second, and takes what comes, until enough has come.
        private static func play(
            _ pictures: [[UInt8]], _ player: Player, _ run: InputRun<HDMIInput>, until isEnough: () -> Bool
        ) throws -> Bool {
            for round in 0..<600 {
                if isEnough() { return true }
                try player.play(pictures[round % pictures.count])
                let end = MonotonicTime.now + 33_000_000
                _ = try run.go(until: { isEnough() || MonotonicTime.now > end })
            }
            return isEnough()
        }

        @Test(
            "broken pictures are dropped and counted; a camera that falls silent has lost its signal until it speaks again"
        )
        func webcam() throws {
            let good = try Self.picture()
            let broken = Array(good.prefix(good.count / 2))
            var player: Player? = try Player()
            try player?.play(good)
            let input = try HDMIInput(opening: Self.path)
            #expect(input.signal == .locked(nil))
            try input.prepare(.process)
            #expect(input.format.pixelFormat == .nv12 && input.format.width == 320 && input.format.color.isFullRange)
            try input.start()
            let run = try InputRun(input)
            if let player {
                #expect(try Self.play([good], player, run, until: { run.pictures.count >= 20 }))
                let before = (pictures: run.pictures.count, lost: input.lostFrames)
                #expect(
                    try Self.play([good, broken], player, run, until: { run.pictures.count >= before.pictures + 20 }))
                #expect(input.lostFrames >= before.lost + 10)
            }
            #expect(run.changes.isEmpty)
            player = nil
            #expect(try run.go(until: { run.slates.count >= 3 }))
            #expect(run.losses == [.noSignal])
            let again = try Player()
            #expect(try Self.play([good], again, run, until: { run.returns == 1 && run.taken.last?.isSlate == false }))
            #expect(run.disorder.isEmpty)
        }
    }
}
