import CKernel
import Media
import Testing

@testable import Encoding

@Suite("Levels of a hardware encoder")
struct LevelLadderTests {
    private let all = LevelLadder(menu: Array(0...19))

    private func value(_ level: v4l2_mpeg_video_h264_level) -> Int32 { Int32(level.rawValue) }

    @Test("each level has its value")
    func values() {
        #expect(all.value(for: H264Level(idc: 10)) == value(V4L2_MPEG_VIDEO_H264_LEVEL_1_0))
        #expect(all.value(for: H264Level(idc: 31)) == value(V4L2_MPEG_VIDEO_H264_LEVEL_3_1))
        #expect(all.value(for: H264Level(idc: 40)) == value(V4L2_MPEG_VIDEO_H264_LEVEL_4_0))
        #expect(all.value(for: H264Level(idc: 42)) == value(V4L2_MPEG_VIDEO_H264_LEVEL_4_2))
        #expect(all.value(for: H264Level(idc: 52)) == value(V4L2_MPEG_VIDEO_H264_LEVEL_5_2))
        #expect(all.value(for: H264Level(idc: 62)) == value(V4L2_MPEG_VIDEO_H264_LEVEL_6_2))
    }

    @Test("up it goes step by step, past level 1b, to the end")
    func up() {
        var steps: [Int32] = []
        var step = all.value(for: H264Level(idc: 10))
        while let present = step {
            steps.append(present)
            step = all.next(above: present)
        }
        #expect(steps == [0] + Array(2...19))
    }

    @Test("of an encoder with few levels the next one up is taken, or the highest")
    func few() {
        let few = LevelLadder(menu: [value(V4L2_MPEG_VIDEO_H264_LEVEL_4_2), value(V4L2_MPEG_VIDEO_H264_LEVEL_3_1), 77])
        #expect(few.value(for: H264Level(idc: 20)) == value(V4L2_MPEG_VIDEO_H264_LEVEL_3_1))
        #expect(few.value(for: H264Level(idc: 40)) == value(V4L2_MPEG_VIDEO_H264_LEVEL_4_2))
        #expect(few.value(for: H264Level(idc: 51)) == value(V4L2_MPEG_VIDEO_H264_LEVEL_4_2))
        #expect(few.value(for: nil) == value(V4L2_MPEG_VIDEO_H264_LEVEL_4_2))
        #expect(LevelLadder(menu: []).value(for: H264Level(idc: 40)) == nil)
    }
}
