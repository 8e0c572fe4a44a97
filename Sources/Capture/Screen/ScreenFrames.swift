import Glibc
import Linux
import Media
import V4L2

/// The frames in which a screen's pictures are handed out, in the memory that was asked for. Used by one thread.
///
/// Where devices read them there are two kinds with numbers of their own: framebuffers of the screen as they are, and memory
/// of ours in which pictures are put together. Which one comes is decided from picture to picture.
final class ScreenFrames {
    /// Frames in all: encoders have at least as many buffers.
    static let count = 8
    /// Frames that are framebuffers.
    static let sharedCount = 4
    /// What is handed out.
    let format: VideoFormat

    /// A framebuffer that is handed out as it is.
    private struct Shared {
        var frame: VideoFrame
        var piece: ScreenPiece
        var isOut = false
        var lastUse: UInt64
    }

    /// A frame that is drawn into.
    private struct Drawn {
        var frame: VideoFrame
        /// Where its memory has to be taken and given back by the processor; empty for memory that is always its own.
        var pieces: [ScreenPiece]
        var isOut = false
        /// The words of the slate that is in it.
        var slate: String?
    }

    /// How memory of ours is laid out; nil where frames are not made here.
    private let layout: V4L2BufferLayout?
    private let pieceSizes: [Int]
    private var shared: [Shared?]
    private var drawn: [Drawn] = []
    /// The drawn frames that may still be made.
    private var unmade: Int
    private var uses: UInt64 = 0

    /// Frames in memory that devices read.
    /// - Parameters:
    ///   - setting: how the encoder wants pictures to lie.
    ///   - lent: the encoder's memory, which is drawn into; nil for framebuffers and memory of ours.
    /// - Throws: `Failure` of kind noSource when no memory can be had.
    init(_ setting: V4L2Format, _ format: VideoFormat, lent: [[SharedBuffer]]? = nil) throws(Failure) {
        self.format = format
        layout = V4L2Layout.of(setting.fourcc).flatMap { V4L2BufferLayout(setting, $0) }
        pieceSizes = setting.planes.map(\.byteCount)
        shared = Array(repeating: nil, count: lent == nil ? Self.sharedCount : 0)
        unmade = lent == nil ? Self.count - Self.sharedCount : 0
        do throws(Errno) {
            if let lent {
                for buffers in lent { try add(try buffers.map(Self.piece(ofLent:)), buffers) }
            } else {
                // One must be there before it is needed; the others come when they are.
                try makeOne()
            }
        } catch {
            throw Failure(
                .noSource, "cannot put the screen's pictures together",
                because: "there is no memory for them that devices can read: \(error)",
                mend: "Let this user open /dev/dma_heap and /dev/udmabuf, or use --encoder software.")
        }
    }

    /// Frames that are there already.
    init(_ frames: [VideoFrame], _ format: VideoFormat) {
        self.format = format
        (layout, pieceSizes, shared, unmade) = (nil, [], [], 0)
        drawn = frames.map { Drawn(frame: $0, pieces: []) }
    }

    /// Frames in memory of the process.
    convenience init(_ format: VideoFormat) {
        let frames = (0..<Self.count).map {
            VideoFrame(index: $0, width: format.width, height: format.height, pixelFormat: format.pixelFormat)
        }
        self.init(frames, format)
    }

    /// Whether framebuffers can be handed out as they are.
    var takesShared: Bool { !shared.isEmpty }

    /// A framebuffer as a frame; nil while none of its kind is free.
    func share(_ piece: ScreenPiece) -> VideoFrame? {
        uses += 1
        // The encoder may still have it: then it gets a second number.
        var place: Int?
        for (index, entry) in shared.enumerated() where entry?.isOut != true {
            if let entry, entry.piece === piece {
                place = index
                break
            }
            if let best = place, (shared[best]?.lastUse ?? 0) <= (entry?.lastUse ?? 0) { continue }
            place = index
        }
        guard let place else { return nil }
        if let entry = shared[place], entry.piece === piece {
            shared[place]?.isOut = true
            shared[place]?.lastUse = uses
            return entry.frame
        }
        let frame = VideoFrame(index: place, buffers: [piece.buffer])
        shared[place] = Shared(frame: frame, piece: piece, isOut: true, lastUse: uses)
        return frame
    }

    /// A frame that was drawn; nil while none is free, or when it could not be drawn.
    /// - Parameter body: draws, and says whether it could.
    func draw(_ body: (VideoFrame) -> Bool) -> VideoFrame? {
        if !drawn.contains(where: { !$0.isOut && $0.slate == nil }), unmade > 0 {
            // What cannot be made now is tried again with the next picture.
            try? makeOne()
        }
        let free = drawn.firstIndex { !$0.isOut && $0.slate == nil } ?? drawn.firstIndex { !$0.isOut }
        guard let free, draw(free, body) else { return nil }
        drawn[free].slate = nil
        return drawn[free].frame
    }

    /// A frame with a slate; nil while it is out, or none is free.
    func slate(_ words: String) -> VideoFrame? {
        if let place = drawn.firstIndex(where: { $0.slate == words }) {
            guard !drawn[place].isOut else { return nil }
            drawn[place].isOut = true
            return drawn[place].frame
        }
        guard let place = drawn.firstIndex(where: { !$0.isOut }) else { return nil }
        let slate = Slate(words, format)
        let isDrawn = draw(place) { frame in
            slate.draw(frame.planes)
            return true
        }
        guard isDrawn else { return nil }
        for index in drawn.indices { drawn[index].slate = nil }
        drawn[place].slate = words
        return drawn[place].frame
    }

    /// Takes a frame back from its reader.
    /// - Returns: false when it is none of these, or nobody has it.
    @discardableResult
    func release(_ frame: VideoFrame) -> Bool {
        if let place = shared.firstIndex(where: { $0?.frame === frame }) {
            defer { shared[place]?.isOut = false }
            return shared[place]?.isOut == true
        }
        guard let place = drawn.firstIndex(where: { $0.frame === frame }) else { return false }
        defer { drawn[place].isOut = false }
        return drawn[place].isOut
    }

    /// Forgets framebuffers that no reader has.
    /// - Parameter isKept: of which it is so that they are not forgotten.
    func forget(unless isKept: (ScreenPiece) -> Bool = { _ in false }) {
        for place in shared.indices {
            if let entry = shared[place], !entry.isOut, !isKept(entry.piece) { shared[place] = nil }
        }
    }

    private func draw(_ place: Int, _ body: (VideoFrame) -> Bool) -> Bool {
        let entry = drawn[place]
        do throws(Errno) {
            for piece in entry.pieces { try piece.begin(.writing) }
        } catch {
            return false
        }
        defer { for piece in entry.pieces { piece.end() } }
        guard body(entry.frame) else { return false }
        drawn[place].isOut = true
        return true
    }

    private func makeOne() throws(Errno) {
        var (pieces, buffers): ([ScreenPiece], [SharedBuffer]) = ([], [])
        for size in pieceSizes {
            let buffer = try DeviceMemory.make(size)
            pieces.append(ScreenPiece(buffer, inode: 0))
            buffers.append(buffer)
        }
        try add(pieces, buffers)
        unmade -= 1
    }

    /// Lent memory is its owner's; it is mapped by descriptors of our own.
    private static func piece(ofLent buffer: SharedBuffer) throws(Errno) -> ScreenPiece {
        let own = try FileDescriptor.duplicate(of: buffer.descriptor)
        return ScreenPiece(SharedBuffer(descriptor: own.release(), byteCount: buffer.byteCount), inode: 0)
    }

    private func add(_ pieces: [ScreenPiece], _ buffers: [SharedBuffer]) throws(Errno) {
        var maps: [UnsafeMutableRawBufferPointer] = []
        for piece in pieces {
            try piece.begin(.writing)
            piece.end()
            maps.append(piece.bytes)
        }
        let index = shared.count + drawn.count
        guard let view = layout?.frame(index, memory: { maps[$0] }) else { throw Errno(EINVAL) }
        drawn.append(Drawn(frame: VideoFrame(index: index, buffers: buffers, planes: view.planes), pieces: pieces))
    }
}
