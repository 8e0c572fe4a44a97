import CKernel
import Encoding
import Glibc
import Judges
import Linux
import Media
import Testing
import V4L2

/// Pictures that were sent through a hardware encoder, and all that came of it.
struct EncoderRun {
    struct Picture {
        /// The number of the picture that went in.
        var number: Int
        var isKeyFrame: Bool
        var bytes: [UInt8]
    }

    /// What is sent in.
    struct Plan {
        var path = "/dev/board/encoder"
        var fourcc = CKERNEL_FOURCC_NV12
        /// Pieces of a picture.
        var pieces = 1
        var input = HardwareEncoder.Input.written
        var width = 176
        var height = 144
        var count = 12
        /// Nanoseconds from picture to picture.
        var interval: Int64 = 33_333_333
        var forced: Set<Int> = []
        var color = ColorDescription.bt709
        var keyFrameSeconds = 2
        /// Pictures that are the same, one behind the other.
        var repetitions = 1
        var rate = FrameRate.thirty
        /// Bytes from line to line, 0 for the encoder's choice.
        var bytesPerLine = 0

        /// The picture with this number.
        func picture(_ number: Int) -> RawPicture {
            RawPicture(number / repetitions, width: width, height: height, pixelFormat: pixelFormat)
        }

        /// The samples' layout.
        var pixelFormat: PixelFormat { V4L2Layout.of(fourcc)?.pixelFormat ?? .nv12 }

        var configuration: HardwareEncoder.Configuration {
            let format = VideoFormat(
                width: width, height: height, pixelFormat: pixelFormat, rate: rate, color: color)
            var layout = V4L2Format(width: width, height: height, fourcc: fourcc, planes: pieces)
            layout.planes[0].bytesPerLine = bytesPerLine
            var configuration = HardwareEncoder.Configuration(path: path, format: format, layout: layout, input: input)
            configuration.keyFrameSeconds = keyFrameSeconds
            return configuration
        }
    }

    private(set) var pictures: [Picture] = []
    /// Parameter sets in the order in which they came.
    private(set) var parameterSets: [ParameterSets] = []
    private(set) var skipped: UInt64 = 0
    private(set) var damaged: UInt64 = 0
    private(set) var color = ColorDescription.bt709
    /// The numbers of the frames in the order in which they came back.
    private(set) var released: [Int] = []
    private let plan: Plan
    private let memory: PictureMemory
    /// When the first picture was captured; with a part of a microsecond.
    private static let begin: Int64 = 5_000_000_123

    /// Sends all pictures of a plan through.
    init(_ plan: Plan) throws {
        let encoder = try HardwareEncoder(plan.configuration)
        defer { encoder.close() }
        try self.init(plan, encoder)
    }

    /// Sends all pictures of a plan through an encoder that was opened.
    init(_ plan: Plan, _ encoder: HardwareEncoder) throws {
        self.plan = plan
        memory = try PictureMemory(plan, encoder)
        var free = Array(memory.frames.reversed())
        for number in 0..<plan.count {
            while free.isEmpty || encoder.room == 0 { try wait(for: encoder, &free) }
            let next = free.popLast()
            let frame = try #require(next)
            try memory.draw(plan.picture(number), into: frame)
            frame.time = MonotonicTime(nanoseconds: Self.begin + Int64(number) * plan.interval)
            #expect(try encoder.submit(frame, forcingKeyFrame: plan.forced.contains(number)))
            try take(from: encoder, &free)
        }
        try encoder.drain()
        while !encoder.isDrained { try wait(for: encoder, &free) }
        try take(from: encoder, &free)
        #expect(free.count == memory.frames.count, "every frame comes back")
        (skipped, damaged, color) = (encoder.skippedFrames, encoder.damagedFrames, encoder.outputColor)
    }

    /// Whether certain pictures of a plan come out.
    static func expect(_ plan: Plan, gives numbers: [Int], location: SourceLocation = #_sourceLocation) throws {
        let run = try EncoderRun(plan)
        #expect(run.numbers == numbers, sourceLocation: location)
    }

    /// The numbers of the pictures that came out.
    var numbers: [Int] { pictures.map(\.number) }

    /// Whether a decoder that we did not write finds exactly the pictures that went in and came out.
    func expectExact(location: SourceLocation = #_sourceLocation) throws {
        let sets = try #require(parameterSets.first, sourceLocation: location)
        let decoded = try CodedFile(sets, pictures.map(\.bytes)).decoded()
        let size = plan.width * plan.height * 3 / 2
        #expect(decoded.count == size * pictures.count, sourceLocation: location)
        guard decoded.count == size * pictures.count else { return }
        for (place, picture) in pictures.enumerated() {
            let expected = plan.picture(picture.number).decoded
            let isSame = decoded[(place * size)..<((place + 1) * size)].elementsEqual(expected)
            #expect(
                isSame,
                "picture \(picture.number) is what went in", sourceLocation: location)
        }
    }

    private mutating func wait(for encoder: HardwareEncoder, _ free: inout [VideoFrame]) throws {
        var entry = pollfd(fd: encoder.descriptor, events: Int16(POLLIN), revents: 0)
        _ = poll(&entry, 1, 20)
        try take(from: encoder, &free)
    }

    private mutating func take(from encoder: HardwareEncoder, _ free: inout [VideoFrame]) throws {
        while let packet = try encoder.nextPacket() {
            if let sets = packet.parameterSets { parameterSets.append(sets) }
            let time = packet.time.nanoseconds - Self.begin
            #expect(time % plan.interval == 0, "the time is the capture's, to the nanosecond")
            pictures.append(
                Picture(
                    number: Int(time / plan.interval), isKeyFrame: packet.isKeyFrame, bytes: Array(packet.bytes)))
            encoder.recycle(packet)
        }
        while let frame = encoder.nextReleasedFrame() {
            released.append(frame.index)
            free.append(frame)
        }
    }
}
