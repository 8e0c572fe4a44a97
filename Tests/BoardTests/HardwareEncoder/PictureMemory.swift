import Encoding
import Linux
import Media
import Testing
import V4L2

/// The frames that pictures are drawn into on their way to an encoder, whosever memory they are.
final class PictureMemory {
    let frames: [VideoFrame]
    private let maps: [Int: [Map]]
    /// Its buffers are what another encoder imports.
    private let owner: HardwareEncoder?
    private let places: V4L2BufferLayout?

    private final class Map {
        let map: SharedMap
        init(_ buffer: SharedBuffer) throws { map = try SharedMap(buffer) }
    }

    init(_ plan: EncoderRun.Plan, _ encoder: HardwareEncoder) throws {
        var lent: [[SharedBuffer]] = []
        var owner: HardwareEncoder?
        switch plan.input {
        case .written:
            frames = encoder.frames
        case .copied:
            frames = (0..<4).map {
                VideoFrame(index: $0, width: plan.width, height: plan.height, pixelFormat: plan.pixelFormat)
            }
        case .lent:
            lent = encoder.lentBuffers
            frames = lent.indices.map { VideoFrame(index: $0, buffers: lent[$0]) }
        case .imported:
            var configuration = plan.configuration
            configuration.input = .lent
            let other = try HardwareEncoder(configuration)
            lent = other.lentBuffers
            frames = lent.indices.map { VideoFrame(index: $0, buffers: lent[$0]) }
            owner = other
        }
        self.owner = owner
        let pairs = try lent.enumerated().map { ($0.offset, try $0.element.map { try Map($0) }) }
        maps = Dictionary(uniqueKeysWithValues: pairs)
        var format = plan.configuration.layout
        format = HardwareEncoder.trying(plan.path, format) ?? format
        places = V4L2Layout.of(plan.fourcc).flatMap { V4L2BufferLayout(format, $0) }
    }

    func draw(_ picture: RawPicture, into frame: VideoFrame) throws {
        guard let pieces = maps[frame.index] else { return picture.draw(into: frame) }
        for piece in pieces { try piece.map.begin(.writing) }
        picture.draw(into: try #require(places?.frame(frame.index) { pieces[$0].map.bytes }))
        for piece in pieces { try piece.map.end(.writing) }
    }
}
