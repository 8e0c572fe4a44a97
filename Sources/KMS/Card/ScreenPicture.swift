import Glibc
import Media

/// What was read of a screen, until it is handed over. Filled again and again without allocating.
final class ScreenPicture {
    private struct Memory {
        var descriptor: Int32
        var inode: UInt64
        var byteCount: Int
    }

    /// The lowest first.
    private(set) var planes: [ScreenPlane] = []
    private var memory: [Memory] = []
    /// Stands for planes and memory; 0 as long as nothing was read.
    private(set) var signature: UInt64 = 0

    init() {
        planes.reserveCapacity(ScreenView.mostPlanes)
        memory.reserveCapacity(ScreenView.mostBuffers)
    }

    deinit { clear() }

    /// Closes the memory and forgets the planes.
    func clear() {
        for piece in memory { close(piece.descriptor) }
        memory.removeAll(keepingCapacity: true)
        planes.removeAll(keepingCapacity: true)
        signature = 0
    }

    /// Takes a dma-buf over, and closes it where its memory is here already.
    /// - Returns: its place among the buffers; nil when there are too many.
    func own(_ descriptor: Int32, inode: UInt64, byteCount: Int) -> Int? {
        if let place = memory.firstIndex(where: { $0.inode == inode }) {
            close(descriptor)
            return place
        }
        guard memory.count < ScreenView.mostBuffers else {
            close(descriptor)
            return nil
        }
        memory.append(Memory(descriptor: descriptor, inode: inode, byteCount: byteCount))
        return memory.count - 1
    }

    /// Puts a plane into the pile, above those that are not deeper than it: `depth` may be any number that orders.
    func put(_ plane: ScreenPlane) {
        let place = planes.firstIndex { $0.depth > plane.depth } ?? planes.count
        planes.insert(plane, at: place)
    }

    /// The plane with a number; nil where it shows nothing.
    func plane(_ id: UInt32) -> ScreenPlane? { planes.first { $0.id == id } }

    /// Numbers the pile and makes the signature.
    func finish(_ mode: ScreenMode) {
        var signature = ScreenSignature()
        signature.add(UInt64(mode.width) | UInt64(mode.height) << 32)
        for place in planes.indices {
            planes[place].depth = place
            signature.add(planes[place])
            for piece in planes[place].pieces { signature.add(memory[piece.buffer].inode) }
        }
        self.signature = signature.value
    }

    /// Fills a view, which owns the memory from then on, and is empty itself.
    /// - Parameter known: a signature for which no memory is handed over.
    func hand(to view: ScreenView, known: UInt64) {
        view.signature = signature
        view.isKnown = known == signature
        for plane in planes { view.planes.append(plane) }
        if view.isKnown {
            for piece in memory { close(piece.descriptor) }
        } else {
            for piece in memory {
                view.own(SharedBuffer(descriptor: piece.descriptor, byteCount: piece.byteCount))
            }
        }
        memory.removeAll(keepingCapacity: true)
        planes.removeAll(keepingCapacity: true)
    }
}
