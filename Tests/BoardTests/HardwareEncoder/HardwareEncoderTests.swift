import CKernel
import Encoding
import Glibc
import Media
import Testing
import V4L2

extension BoardTests {
    @Suite("Hardware encoder")
    struct HardwareEncoderTests {
        static let single = "/dev/board/encoder"
        static let multiple = "/dev/board/encoder-planes"

        /// Every layout that the encoder takes and that is known here, with its pieces.
        static let layouts: [(String, UInt32, Int)] = [
            (single, CKERNEL_FOURCC_NV12, 1), (single, CKERNEL_FOURCC_YUV420, 1), (single, CKERNEL_FOURCC_YUYV, 1),
            (single, CKERNEL_FOURCC_UYVY, 1), (single, CKERNEL_FOURCC_XBGR32, 1), (single, CKERNEL_FOURCC_XRGB32, 1),
            (single, CKERNEL_FOURCC_RGBX32, 1), (multiple, CKERNEL_FOURCC_NV12, 1),
            (multiple, CKERNEL_FOURCC_NV12M, 2), (multiple, CKERNEL_FOURCC_YUV420M, 3),
            (multiple, CKERNEL_FOURCC_UYVY, 1), (multiple, CKERNEL_FOURCC_XBGR32, 1),
        ]

        @Test("encoders are found by what they can")
        func list() throws {
            let found = HardwareEncoder.list()
            #expect(Set(found.map(\.inputType)) == [.output, .outputMultiplanar])
            for encoder in found {
                #expect(encoder.card == "Virtual H.264 encoder")
                #expect(encoder.inputs.contains(CKERNEL_FOURCC_NV12))
                #expect(encoder.takes(V4L2Sizes.Size(1920, 1080)) && !encoder.takes(V4L2Sizes.Size(8192, 16)))
                #expect(encoder.inputs.contains(CKERNEL_FOURCC_NV12M) == (encoder.inputType == .outputMultiplanar))
            }
        }

        @Test("what goes in comes out bit by bit, whatever the layout", arguments: layouts)
        func exact(path: String, fourcc: UInt32, pieces: Int) throws {
            let plan = EncoderRun.Plan(path: path, fourcc: fourcc, pieces: pieces)
            let written = try EncoderRun(plan)
            #expect(written.numbers == Array(0..<12))
            #expect(written.skipped == 0 && written.damaged == 0)
            #expect(written.parameterSets.count == 1)
            try written.expectExact()
            // The same pictures in other memory make the same stream.
            for input in [HardwareEncoder.Input.lent, .imported] {
                var other = plan
                other.input = input
                let run = try EncoderRun(other)
                #expect(run.numbers == written.numbers)
                #expect(run.pictures.map(\.bytes) == written.pictures.map(\.bytes))
            }
        }

        @Test("pictures of the process are copied in", arguments: [single, multiple])
        func copied(path: String) throws {
            for fourcc in [CKERNEL_FOURCC_NV12, CKERNEL_FOURCC_YUV420] {
                let run = try EncoderRun(EncoderRun.Plan(path: path, fourcc: fourcc, input: .copied, count: 30))
                #expect(run.numbers == Array(0..<30))
                try run.expectExact()
            }
        }

        @Test("sizes that are no whole macroblocks", arguments: [single, multiple])
        func sizes(path: String) throws {
            for (width, height) in [(16, 16), (98, 50), (642, 362)] {
                let run = try EncoderRun(EncoderRun.Plan(path: path, width: width, height: height, count: 3))
                #expect(run.numbers == [0, 1, 2])
                try run.expectExact()
            }
        }

        @Test("a key frame comes when it is asked for, and by itself after a time", arguments: [single, multiple])
        func keyFrames(path: String) throws {
            let plan = EncoderRun.Plan(path: path, input: .copied, count: 70, forced: [20])
            let keys = try EncoderRun(plan).pictures.filter(\.isKeyFrame).map(\.number)
            #expect(keys.first == 0)
            // The picture that is coded when it is asked for may be an older one.
            #expect(keys.contains { (20...24).contains($0) })
            var slow = EncoderRun.Plan(path: path, count: 12)
            slow.interval = 500_000_000
            slow.keyFrameSeconds = 1
            let often = try EncoderRun(slow).pictures.filter(\.isKeyFrame).map(\.number)
            #expect(often.count >= 4, "two pictures a second still have a key frame a second: \(often)")
        }

        @Test(
            "colour and rate are said by the stream as they are",
            arguments: [true, false])
        func color(isStatedByEncoder: Bool) throws {
            let stated = isStatedByEncoder ? "1" : "0"
            try EncoderFault.during(["vui": stated]) {
                for path in [Self.single, Self.multiple] {
                    for (standard, isFull) in [
                        (ColorDescription.bt709, false), (.bt709, true), (.bt601, false), (.bt601, true),
                    ] {
                        var plan = EncoderRun.Plan(path: path, count: 2)
                        plan.color = standard
                        plan.color.isFullRange = isFull
                        let run = try EncoderRun(plan)
                        let usability = try SequenceParameterSet(#require(run.parameterSets.first).sequence).usability
                        #expect(usability?.color == plan.color && run.color == plan.color)
                        #expect(usability?.timing?.rate == .thirty)
                        #expect(usability?.restriction?.reorderedFrames == 0)
                        if isFull { try run.expectExact() }
                    }
                    var plan = EncoderRun.Plan(path: path, fourcc: CKERNEL_FOURCC_XBGR32, count: 2)
                    plan.color = ColorDescription(primaries: 1, transfer: 13, matrix: 0, isFullRange: true)
                    let run = try EncoderRun(plan)
                    let usability = try SequenceParameterSet(#require(run.parameterSets.first).sequence).usability
                    #expect(usability?.color == run.color)
                    #expect(run.color.matrix == 1 && !run.color.isFullRange)
                    #expect(run.color.transfer == (isStatedByEncoder ? 13 : 1))
                }
            }
        }

        @Test("opened and closed again and again, nothing is left", arguments: [single, multiple])
        func again(path: String) throws {
            let plan = EncoderRun.Plan(path: path, input: .lent, count: 3)
            try EncoderRun.expect(plan, gives: [0, 1, 2])
            #expect(EncoderFaultTests.isClosed(path))
            let before = try Self.openDescriptors()
            for _ in 0..<50 { try EncoderRun.expect(plan, gives: [0, 1, 2]) }
            #expect(EncoderFaultTests.isClosed(path))
            #expect(try Self.openDescriptors() == before)
        }

        private static func openDescriptors() throws -> Int {
            let folder = try #require(opendir("/proc/self/fd"))
            defer { closedir(folder) }
            var count = 0
            while readdir(folder) != nil { count += 1 }
            return count
        }

        @Test("nothing that went in stays in: after draining, all is out", arguments: [single, multiple])
        func drained(path: String) throws {
            for count in [0, 1, 2, 7, 8, 9] {
                for input in [HardwareEncoder.Input.written, .copied, .imported] {
                    let run = try EncoderRun(EncoderRun.Plan(path: path, input: input, count: count))
                    #expect(run.numbers == Array(0..<count))
                    #expect(run.released.count == count)
                }
            }
        }
    }
}
