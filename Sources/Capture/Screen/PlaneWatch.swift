import KMS
import Linux
import Media

/// Finds out that a program draws into memory that stays, of each of the planes that a screen shows: a window on a plane of
/// its own or an animated pointer may be drawn in place while the desktop below is not. A value without side effects.
struct PlaneWatch {
    private struct Watched {
        var plane: UInt32
        var inode: UInt64
        var drawing = InPlaceWatch()

        func isSame(_ plane: UInt32, _ inode: UInt64) -> Bool { self.plane == plane && self.inode == inode }
    }

    private var watched: [Watched] = []

    init() {
        watched.reserveCapacity(ScreenView.mostPlanes)
    }

    /// Takes note of the memory that a plane shows: another one than before was flipped to, and not drawn into.
    /// - Parameters:
    ///   - place: where the plane stands among those that are shown, 0… in their order.
    ///   - plane: the kernel's number of it.
    ///   - inode: its memory.
    mutating func note(_ place: Int, plane: UInt32, inode: UInt64, at time: MonotonicTime) {
        let isKnown = watched.indices.contains(place) && watched[place].isSame(plane, inode)
        guard !isKnown else { return }
        var new = Watched(plane: plane, inode: inode)
        new.drawing.noteFlip(at: time)
        if place < watched.count { watched[place] = new } else { watched.append(new) }
    }

    /// Forgets the planes behind so many.
    mutating func keep(_ count: Int) {
        if watched.count > count { watched.removeLast(watched.count - count) }
    }

    /// Whether it is time for a look at a plane.
    func isDue(_ place: Int, at time: MonotonicTime) -> Bool {
        watched.indices.contains(place) && watched[place].drawing.isDue(at: time)
    }

    /// Takes what a look at a plane saw.
    /// - Returns: whether that is something else than before.
    mutating func note(_ place: Int, print: UInt64, at time: MonotonicTime) -> Bool {
        watched.indices.contains(place) && watched[place].drawing.note(print, at: time)
    }

    /// Whether somebody draws into any of them, so that each blank may have changed what is seen.
    func isDrawing(at time: MonotonicTime) -> Bool {
        watched.contains { $0.drawing.isDrawing(at: time) }
    }
}
