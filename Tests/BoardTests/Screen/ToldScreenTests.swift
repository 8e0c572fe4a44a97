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

        /// Starts a recording as a user without any privilege, who may use the encoder.
        private func start(_ words: String...) throws -> ChildProcess {
            try Board.shell("chmod a+rw /dev/video* /dev/dma_heap/system /dev/udmabuf; rm -f \(file)")
            return try ChildProcess(
                "setpriv",
                [
                    "--reuid=\(ServedScreen.user)", "--regid=\(ServedScreen.user)", "--clear-groups", Kinebox.path,
                    "record", "--video", "screen", "--audio", "none", "--encoder", "hardware",
                ] + words + [file])
        }

        @Test(
            "layouts, crop, scale, rotation, alpha, blend modes, tiles and Y'CbCr are put together as it is written",
            arguments: ToldScene.all)
        func composed(scene: ToldScene) throws {
            defer { unlink(file) }
            let layers = try scene.layers()
            let served = try ServedScreen(layers, width: ToldScene.width, height: ToldScene.height)
            let ending = try start("--duration", "2").wait(atMost: 60)
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

        /// A screen that covers itself with one plane, in memory that can be read or in tiles that cannot.
        private func plain(modifier: UInt64 = 0) throws -> ToldLayer {
            var layer = try ToldLayer(
                .xrgb8888, .init(width: ToldScene.width, height: ToldScene.height, kind: .primary)
            ) { KnownPicture.drawing(5, $0, $1) }
            layer.plane.modifier = modifier
            return layer
        }

        /// I915_FORMAT_MOD_X_TILED, as a screen of Intel's has that a graphics processor draws.
        private static let foreign: UInt64 = 1 << 56 | 1

        @Test(
            "memory in an order that nobody can read is refused by its name, with what the screen's program has to be told"
        )
        func foreignFromTheStart() throws {
            let served = try ServedScreen(
                [plain(modifier: Self.foreign)], width: ToldScene.width, height: ToldScene.height)
            let ending = try start("--duration", "2").wait(atMost: 60)
            withExtendedLifetime(served) {}
            #expect(ending.exitCode == 3, "\(ending)")
            #expect(ending.errors.split(separator: "\n").count == 1, "\(ending)")
            #expect(ending.errors.contains("modifier Intel X-tiled, 0x100000000000001"), "\(ending)")
            #expect(ending.errors.contains("WLR_RENDERER=pixman"), "\(ending)")
            #expect(access(file, F_OK) != 0, "nothing was recorded, so there is no file")
        }

        @Test("where such memory comes up while it records a slate says so, and what can be read goes on behind it")
        func foreignMeanwhile() throws {
            defer { unlink(file) }
            let layer = try plain()
            let served = try ServedScreen(
                oneOf: [[layer], [plain(modifier: Self.foreign)]], width: ToldScene.width, height: ToldScene.height)
            let recording = try start("--signal-loss", "slate")
            func waitFor(_ condition: () -> Bool) throws {
                for _ in 0..<300 where !condition() { usleep(100_000) }
                try #require(condition(), "\(recording.errorsSoFar)")
            }
            func grow(_ byteCount: Int = 4096) throws {
                var (status, before) = (stat(), 0)
                if stat(file, &status) == 0 { before = Int(status.st_size) }
                try waitFor { stat(file, &status) == 0 && Int(status.st_size) > before + byteCount }
            }
            try grow()
            served.show(1)
            try waitFor { recording.errorsSoFar.contains("Intel X-tiled") }
            try grow()
            served.show(0)
            try waitFor { recording.errorsSoFar.contains("pictures come in again") }
            try grow(0)
            recording.send(SIGINT)
            let ending = recording.wait(atMost: 60)
            #expect(ending.exitCode == 0, "\(ending)")
            let check = try Kinebox.run("check", file)
            #expect(check.exitCode == 0, "\(check)")
            let reference = ReferenceScreen(
                width: ToldScene.width, height: ToldScene.height, planes: [layer.reference]
            ).encoded()
            let isShown = try decoded(reference.count).map { $0 == reference }
            // Pictures, then slates, then pictures: it changes twice.
            #expect(isShown.first == true && isShown.last == true, "\(isShown)")
            #expect(zip(isShown, isShown.dropFirst()).filter { $0 != $1 }.count == 2, "\(isShown)")
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
