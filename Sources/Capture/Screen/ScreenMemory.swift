import Glibc
import KMS
import Linux
import Media

/// The memory that a screen shows and showed of late. A program goes round with few framebuffers, so each is opened and
/// mapped once.
final class ScreenMemory {
    /// What is kept although it is not shown.
    private static let mostIdle = 6
    /// Views after which what was not shown again is let go of.
    private static let longestIdle: UInt64 = 600
    /// The memory of the last view, in its order.
    private(set) var shown: [ScreenPiece] = []
    private var pieces: [ScreenPiece] = []
    private var views: UInt64 = 0

    init() {
        shown.reserveCapacity(ScreenView.mostBuffers)
        pieces.reserveCapacity(ScreenView.mostBuffers + Self.mostIdle)
    }

    /// Takes over what a view brought.
    /// - Throws: `Errno` when a descriptor is none.
    func take(_ view: ScreenView) throws(Errno) {
        views += 1
        shown.removeAll(keepingCapacity: true)
        for index in view.buffers.indices {
            let inode = try ScreenPiece.inode(of: view.buffers[index].descriptor)
            let piece: ScreenPiece
            if let known = pieces.first(where: { $0.inode == inode }) {
                piece = known
            } else {
                let byteCount = view.buffers[index].byteCount
                piece = ScreenPiece(
                    SharedBuffer(descriptor: view.takeDescriptor(index), byteCount: byteCount), inode: inode)
                pieces.append(piece)
            }
            piece.lastUse = views
            shown.append(piece)
        }
        letGoOfIdle()
    }

    /// Takes note that the same is shown still.
    func remain() {
        views += 1
        for piece in shown { piece.lastUse = views }
        letGoOfIdle()
    }

    /// A piece of what is shown, by its place in the view; nil where there is none.
    func piece(_ place: Int) -> ScreenPiece? {
        shown.indices.contains(place) ? shown[place] : nil
    }

    /// Whether a piece is shown, or was of late.
    func keeps(_ piece: ScreenPiece) -> Bool { pieces.contains { $0 === piece } }

    /// Lets go of what is not shown any more; what an encoder still has stays open for as long as its frame is out.
    func forget() {
        pieces.removeAll { $0.lastUse != views }
    }

    /// Why the processor may not look at what is shown; nil where it may.
    var refusal: Errno? {
        for piece in shown {
            do throws(Errno) {
                try piece.begin(.reading)
                piece.end()
            } catch {
                return error
            }
        }
        return nil
    }

    /// The first of the shown pieces that a device is not done with writing; nil when all can be read.
    func firstBusy() -> ScreenPiece? {
        // Usually one is shown, or a few: one request for all.
        withUnsafeTemporaryAllocation(of: pollfd.self, capacity: max(shown.count, 1)) { entries in
            for (index, piece) in shown.enumerated() {
                let entry = pollfd(fd: piece.buffer.descriptor, events: Int16(POLLIN), revents: 0)
                entries.initializeElement(at: index, to: entry)
            }
            guard !shown.isEmpty, let first = entries.baseAddress else { return nil }
            guard poll(first, nfds_t(shown.count), 0) < shown.count else { return nil }
            return shown.indices.first { entries[$0].revents == 0 }.map { shown[$0] }
        }
    }

    private func letGoOfIdle() {
        pieces.removeAll { views - $0.lastUse > Self.longestIdle }
        while pieces.count > shown.count + Self.mostIdle,
            let oldest = pieces.indices.min(by: { pieces[$0].lastUse < pieces[$1].lastUse })
        {
            pieces.remove(at: oldest)
        }
    }
}
