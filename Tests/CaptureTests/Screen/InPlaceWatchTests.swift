import Linux
import Media
import Testing

@testable import Capture

@Suite("Drawing into what is shown")
struct InPlaceWatchTests {
    private func at(_ milliseconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: milliseconds * 1_000_000) }

    /// What a look says that sees this.
    private func isOther(_ watch: inout InPlaceWatch, _ print: UInt64, _ milliseconds: Int64) -> Bool {
        watch.note(print, at: at(milliseconds))
    }

    @Test("is looked for five times a second, and found when a look sees something else than the one before")
    func found() {
        var watch = InPlaceWatch()
        #expect(watch.isDue(at: at(0)))
        #expect(!isOther(&watch, 1, 0))
        #expect(!watch.isDue(at: at(199)) && watch.isDue(at: at(200)))
        #expect(!isOther(&watch, 1, 200) && !watch.isDrawing(at: at(201)))
        #expect(isOther(&watch, 2, 400) && watch.isDrawing(at: at(401)))
    }

    @Test("counts as going on until nothing was seen for three seconds")
    func end() {
        var watch = InPlaceWatch()
        _ = watch.note(1, at: at(0))
        _ = watch.note(2, at: at(200))
        for time in stride(from: Int64(400), to: 3200, by: 200) {
            #expect(!isOther(&watch, 2, time) && watch.isDrawing(at: at(time)))
        }
        #expect(!watch.isDrawing(at: at(3200)))
    }

    @Test("is nothing that a flip has brought")
    func flip() {
        var watch = InPlaceWatch()
        _ = watch.note(1, at: at(0))
        watch.noteFlip(at: at(10))
        #expect(!watch.isDue(at: at(209)) && watch.isDue(at: at(210)))
        #expect(!isOther(&watch, 2, 210) && !watch.isDrawing(at: at(210)))
    }

    @Test("the sum sees each byte of each sixteenth line, and none between", arguments: [64, 30, 1366 * 4])
    func sum(lineBytes: Int) {
        let frame = VideoFrame(index: 0, width: lineBytes / 2 + 8, height: 48, pixelFormat: .yuyv)
        let plane = frame.planes[0]
        for offset in 0..<plane.bytesPerLine * plane.lines {
            plane.base.storeBytes(of: 7, toByteOffset: offset, as: UInt8.self)
        }
        let before = InPlaceWatch.print(of: plane, lineBytes: lineBytes)
        for (line, isSeen) in [(8, true), (24, true), (40, true), (0, false), (9, false), (39, false)] {
            for column in 0..<lineBytes {
                let place = plane.base + line * plane.bytesPerLine + column
                place.storeBytes(of: 8, as: UInt8.self)
                #expect((InPlaceWatch.print(of: plane, lineBytes: lineBytes) != before) == isSeen)
                place.storeBytes(of: 7, as: UInt8.self)
            }
        }
        #expect(InPlaceWatch.print(of: plane, lineBytes: lineBytes) == before)
    }
}
