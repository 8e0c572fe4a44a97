import Encoding
import Linux
import Media
import Synchronization
import V4L2

/// Makes a picture a JPEG, on a thread of its own.
final class StillJob: Sendable {
    private let result = Mutex<StillResult?>(nil)
    private let isOver: EventDescriptor

    /// - Parameters:
    ///   - frame: it must not be filled again before the end.
    ///   - format: what it is.
    ///   - layout: how it lies in memory of devices; nil where the processor sees it.
    ///   - done: is signalled at the end.
    /// - Throws: `Errno` when no thread or descriptor is left.
    init(_ frame: VideoFrame, _ format: VideoFormat, layout: V4L2Format?, _ done: EventDescriptor) throws(Errno) {
        isOver = try EventDescriptor()
        try Thread("kinebox-still") { [self] in
            let made = Self.still(of: frame, format, layout: layout)
            result.withLock { $0 = made }
            isOver.signal()
            done.signal()
        }.detach()
    }

    /// The still; nil while it is not ready.
    func takeResult() -> StillResult? { result.withLock { $0.take() } }

    /// Waits until the picture is not read any more.
    func waitForEnd() {
        if result.withLock({ $0 == nil }) { isOver.wait() }
    }

    /// Makes a still of a picture.
    static func still(of frame: VideoFrame, _ format: VideoFormat, layout: V4L2Format?) -> StillResult {
        do throws(Failure) {
            let encoder = try StillEncoder(format)
            let time = WallClock.isSynchronised ? Int64(WallClock.seconds) - (.now - frame.time) / 1_000_000_000 : nil
            guard frame.planes.isEmpty else { return .taken(try encoder.encode(frame, at: time)) }
            return .taken(try still(ofShared: frame, encoder, layout, at: time))
        } catch {
            return .failed(error)
        }
    }

    /// Holds a map that cannot be copied in an array.
    private final class Map {
        let map: SharedMap
        init(_ buffer: SharedBuffer) throws(Errno) {
            map = try SharedMap(buffer, for: .reading)
            try map.begin(.reading)
        }

        deinit { try? map.end(.reading) }
    }

    /// A picture that only devices see is mapped for as long as it is read.
    private static func still(
        ofShared frame: VideoFrame, _ encoder: StillEncoder, _ layout: V4L2Format?, at time: Int64?
    ) throws(Failure) -> [UInt8] {
        var maps: [Map] = []
        do throws(Errno) {
            for buffer in frame.buffers { maps.append(try Map(buffer)) }
        } catch {
            throw Failure(.encoderFailed, "cannot make a still", because: "the picture cannot be read: \(error)")
        }
        guard let layout, let samples = V4L2Layout.of(layout.fourcc), let places = V4L2BufferLayout(layout, samples),
            let view = places.frame(frame.index, memory: { maps[$0].map.bytes })
        else {
            throw Failure(.encoderFailed, "cannot make a still", because: "the picture's layout is not known here")
        }
        return try withExtendedLifetime(maps) { () throws(Failure) in try encoder.encode(view, at: time) }
    }
}
