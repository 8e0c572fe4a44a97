import CKernel
import Capture
import Encoding
import Glibc
import Judges
import Linux
import Media
import Pixels
import Testing
import V4L2

extension BoardTests {
    @Suite("Memory of the HDMI input's frames")
    struct HDMIMemoryTests {
        private static let paths = ["/dev/board/hdmi", "/dev/board/hdmi-planes"]

        private static func open(_ path: String, _ layout: PixelFormat? = nil) throws -> HDMIInput {
            try Board.shell(
                """
                boardctl hdmi \(path.hasSuffix("planes") ? "--planes" : "") on 640x480@59
                v4l2-ctl -d \(path) -c timestamp_source=1
                """)
            return try HDMIInput(opening: path, layout: layout)
        }

        /// Luma of a frame at a place, of NV12 or YUV420.
        private static func luma(_ frame: VideoFrame, _ x: Int, _ y: Int) -> UInt8 {
            frame.planes[0].base.load(fromByteOffset: y * frame.planes[0].bytesPerLine + x, as: UInt8.self)
        }

        @Test("the slate is drawn into a device's own buffers in each layout", arguments: paths)
        func slates(path: String) throws {
            let input = try Self.open(path)
            // In NM16 vivid's pictures do not begin where their buffers do, which other devices would not find.
            for offer in try input.offers() where offer.fourcc != CKERNEL_FOURCC_NV16M {
                let input = try Self.open(path)
                _ = try input.choose(offer)
                try input.prepare(.device)
                try input.start()
                let run = try InputRun(input)
                #expect(try run.take(2))
                try Vivid.set(.noLock, on: path)
                var drawn: Set<UInt8> = []
                let layout = try #require(V4L2Layout.of(offer.fourcc))
                let places = try #require(V4L2BufferLayout(offer, layout))
                let isDone = try run.go(
                    each: { frame in
                        guard frame.isSlate else { return }
                        let map = try SharedMap(frame.buffers[0])
                        try map.begin(.reading)
                        let line = UnsafeRawBufferPointer(map.bytes)[
                            (240 * places.places[0].bytesPerLine)...
                        ].prefix(places.places[0].lineBytes)
                        drawn.formUnion(line)
                        try map.end(.reading)
                    }, until: { run.slates.count >= 2 })
                #expect(isDone, "\(V4L2Layout.name(offer.fourcc))")
                let color = input.format.color
                let grey = SampleValue(red: 0.12, green: 0.12, blue: 0.12, color: color).y
                let light = SampleValue(red: 0.75, green: 0.75, blue: 0.75, color: color).y
                #expect(drawn.contains(grey) && drawn.contains(light), "\(V4L2Layout.name(offer.fourcc)) \(color)")
                try Vivid.set(.selected, on: path)
                #expect(try run.take(2))
            }
        }

        @Test("pictures are written into given frames, in their layout or another", arguments: paths)
        func written(path: String) throws {
            for (layout, target) in [(PixelFormat.yuyv, PixelFormat.nv12), (.bgrx32, .yuv420), (.uyvy, .uyvy)] {
                let input = try Self.open(path, layout)
                let frames = (0..<4).map { VideoFrame(index: $0, width: 640, height: 480, pixelFormat: target) }
                try input.prepare(.written(frames, as: target))
                #expect(input.format.pixelFormat == target)
                try input.start()
                let run = try InputRun(input)
                var strangers = 0
                let isDone = try run.go(
                    each: { frame in if !frames.contains(where: { $0 === frame }) { strangers += 1 } },
                    until: { run.pictures.count >= 20 })
                try Vivid.set(.none, on: path)
                #expect(try run.go(until: { run.slates.count >= 3 }))
                try Vivid.set(.selected, on: path)
                #expect(try run.take(10))
                #expect(isDone && strangers == 0)
                #expect(run.disorder.isEmpty)
            }
        }

        @Test("a camera writes into another device's buffers, and slates do too", arguments: paths)
        func lent(path: String) throws {
            let input = try Self.open(path, .nv12)
            let format = try input.offers()[0]
            let encoder = try V4L2Device(opening: "/dev/board/encoder")
            let set = try encoder.set(format, .output)
            let queue = try V4L2Queue(encoder, .output, set, count: 4, memory: .exported)
            let buffers = try (0..<queue.count).map { try queue.sharedBuffers($0) }
            _ = try input.choose(format)
            try input.prepare(.lent(buffers))
            try input.start()
            let run = try InputRun(input)
            var strangers = 0
            let isDone = try run.go(
                each: { if $0.buffers != buffers[$0.index] { strangers += 1 } }, until: { run.taken.count == 60 })
            #expect(isDone && strangers == 0)
            try Vivid.set(.none, on: path)
            #expect(try run.go(until: { run.slates.count >= 3 }))
            try Vivid.set(.selected, on: path)
            #expect(try run.take(10))
            // The encoder has failed: what follows is for the processor.
            try input.prepare(.process)
            #expect(try run.take(10))
            #expect(run.losses == [.noCable])
            #expect(run.disorder.isEmpty)
        }

        @Test(
            "memory is changed while pictures come, and while none do", arguments: paths,
            [PixelFormat.nv12, .yuyv])
        func changed(path: String, layout: PixelFormat) throws {
            for isLost in [false, true] {
                let input = try Self.open(path, layout)
                try input.prepare(.device)
                try input.start()
                let run = try InputRun(input)
                #expect(try run.take(10))
                if isLost {
                    try Vivid.set(.none, on: path)
                    #expect(try run.go(until: { run.slates.count >= 3 }))
                }
                try input.prepare(.process)
                #expect(input.format.pixelFormat == .nv12)
                var dark = 0
                let before = run.taken.count
                let isDone = try run.go(
                    each: { if $0.planes.count != 2 || Self.luma($0, 20, 470) < 16 { dark += 1 } },
                    until: { run.taken.count == before + 10 })
                #expect(isDone && dark == 0)
                if isLost {
                    try Vivid.set(.selected, on: path)
                    #expect(try run.go(until: { run.returns == 1 }))
                }
                #expect(try run.take(10))
                #expect(run.disorder.isEmpty)
            }
        }

        @Test("an EDID is shown where the input has another, and kept where it has this one", arguments: paths)
        func edid(path: String) throws {
            _ = try Self.open(path)
            let device = try V4L2Device(opening: path)
            let present = try device.edid()
            var bytes = Array(present.prefix(128))
            // A monitor's serial number, and the block's checksum with it.
            bytes[12] &+= 1
            bytes[127] &-= 1
            bytes[126] = 0
            bytes[127] &+= present[126]
            let edid = try EDID(bytes, named: "the test's own")
            for _ in 0..<2 {
                let input = try HDMIInput(opening: path, edid: edid)
                #expect(try device.edid() == bytes)
                try input.prepare(.device)
                try input.start()
                let run = try InputRun(input)
                #expect(try run.take(3))
            }
            try device.set(try EDID(present, named: "the driver's own"))
            var long = bytes + bytes + bytes
            long[126] = 2
            long[127] &-= 2
            let large = try EDID(long, named: "a large one")
            var failure: Failure?
            do throws(Failure) {
                _ = try HDMIInput(opening: path, edid: large)
            } catch {
                failure = error
            }
            #expect(failure?.kind == .invalidValue && failure?.cause.contains("3 blocks") == true)
        }
    }
}
