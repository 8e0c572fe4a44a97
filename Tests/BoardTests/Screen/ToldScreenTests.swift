import Glibc
import Judges
import KMS
import Testing

extension BoardTests {
    /// What the board's own screen cannot show comes through the privileged program's own protocol, to a recorder without
    /// any privilege.
    @Suite("Recording a screen through the privileged program's protocol")
    struct ToldScreenTests {
        private let file = "/tmp/told.mp4"

        /// Records as a user without any privilege, who may use the encoder.
        private func record(_ seconds: Int) throws -> Ending {
            try Board.shell("chmod a+rw /dev/video* /dev/dma_heap/system /dev/udmabuf; rm -f \(file)")
            return try ChildProcess(
                "setpriv",
                [
                    "--reuid=\(ServedScreen.user)", "--regid=\(ServedScreen.user)", "--clear-groups", Kinebox.path,
                    "record", "--video", "screen", "--audio", "none", "--encoder", "hardware", "--duration",
                    "\(seconds)", file,
                ]
            ).wait(atMost: 60)
        }

        @Test(
            "layouts, crop, scale, rotation, alpha, blend modes, tiles and Y'CbCr are put together as it is written",
            arguments: ToldScene.all)
        func composed(scene: ToldScene) throws {
            defer { unlink(file) }
            let layers = try scene.layers()
            let served = try ServedScreen(layers, width: ToldScene.width, height: ToldScene.height)
            let ending = try record(2)
            withExtendedLifetime(served) {}
            try #require(ending.exitCode == 0, "\(ending)")
            let reference = ReferenceScreen(
                width: ToldScene.width, height: ToldScene.height, planes: layers.map(\.reference)
            ).encoded()
            let pictures = try decoded(reference.count)
            #expect((1...4).contains(pictures.count), "\(pictures.count) pictures of a screen that stays as it is")
            for picture in pictures {
                let distances = zip(picture, reference).map { abs(Int($0) - Int($1)) }
                let far = distances.enumerated().filter { $0.element > scene.tolerance }
                #expect(
                    far.isEmpty, "\(far.count) samples, the first at \(far.first?.offset ?? 0): \(distances.max() ?? 0)"
                )
            }
        }

        /// The pictures of the recording, in planar 4:2:0.
        private func decoded(_ size: Int) throws -> [[UInt8]] {
            let raw = try ChildProcess(
                "ffmpeg",
                [
                    "-nostdin", "-v", "error", "-i", file, "-fps_mode", "passthrough", "-pix_fmt", "yuv420p", "-f",
                    "rawvideo", "-",
                ]
            ).wait(atMost: 60).output
            return stride(from: 0, to: raw.count - size + 1, by: size).map { Array(raw[$0..<($0 + size)]) }
        }
    }
}
