import KMS
import Linux
import Media
import V4L2

extension Screen {
    public func nextFrame() throws(Failure) -> VideoFrame? {
        switch phase {
        case .live: return fenceLimit == nil ? try livePicture() : try fencedPicture()
        case .lost: return slate()
        case .ready, .reshaped, .stopped: return nil
        }
    }

    /// Asks for the picture that is wanted next.
    /// - Parameter atOnce: whether it is that of the next blank.
    func order(atOnce: Bool = false) {
        var order = ScreenOrder()
        if let lastSequence {
            // While there are no pictures of the right shape it is enough to look a few times a second. A number that comes
            // round to 0 is that of the next blank.
            order.sequence = phase == .live ? pacing.next(after: lastSequence) : lastSequence &+ UInt64(sparseBlanks)
            order.known = phase == .live ? known : 0
            if atOnce { order.sequence = 0 }
        }
        isOrderFar = lastSequence.map { order.sequence > $0 &+ UInt64(4 * sparseBlanks) } ?? false
        do throws(Failure) {
            try reader?.order(order)
        } catch {
            lose(reader: error)
        }
    }

    private var sparseBlanks: Int64 {
        max(mode.refresh.numerator / mode.refresh.denominator / 20, 1)
    }

    private func livePicture() throws(Failure) -> VideoFrame? {
        guard hear() else { return nil }
        if let lastSequence, follows(lastSequence) {
            if !view.isKnown { lostFrames += countMissed(since: lastSequence) }
        } else {
            pacing.begin(at: view.sequence)
        }
        (lastSequence, lastBlankTime) = (view.sequence, view.time)
        order()
        // Where the reader went with the order, its view did too.
        guard reader != nil else { return nil }
        guard isDue() else { return nil }
        return try view.isKnown ? picture(at: view.time) : fencedPicture()
    }

    /// Whether the view's blank is a later one of the same count as this one: numbers may begin anew, with greater ones as
    /// well, while time goes on.
    private func follows(_ sequence: UInt64) -> Bool {
        guard sequence < view.sequence else { return false }
        let blanks = mode.refresh.periods(in: view.time - lastBlankTime)
        return view.sequence - sequence <= UInt64(max(blanks, 0)) * 9 / 8 + 8
    }

    private func countMissed(since sequence: UInt64) -> UInt64 {
        let missed = pacing.missed(from: sequence, to: view.sequence)
        number += missed
        return missed
    }

    /// Whether a picture of the view is to be given out.
    private func isDue() -> Bool {
        // Where it is not told by the view, what is drawn into the same memory may have changed.
        let hasDrawn = watchPlanes()
        if hasDrawn || !view.isKnown { return true }
        // The last one that is wanted before the second is over, but for half a blank.
        let rest = Self.stillInterval - (view.time - lastTime)
        let step = format.rate.nanoseconds(of: 1) - mode.refresh.nanoseconds(of: 1) / 2
        return isWanted || inPlace.isDrawing(at: view.time) || rest < step
    }

    /// Looks whether something has been drawn into the memory of a plane, where it is time for it.
    private func watchPlanes() -> Bool {
        var hasDrawn = false
        inPlace.keep(view.planes.count)
        for place in view.planes.indices {
            let plane = view.planes[place]
            let piece = plane.pieces.isEmpty ? nil : memory.piece(plane.pieces[0].buffer)
            inPlace.note(place, plane: plane.id, inode: piece?.inode ?? 0, at: view.time)
            guard view.isKnown, let piece, inPlace.isDue(place, at: view.time) else { continue }
            // What cannot be looked at is given out once a second all the same.
            let print = (try? Self.print(of: plane, piece)) ?? 0
            if inPlace.note(place, print: print, at: view.time) { hasDrawn = true }
        }
        return hasDrawn
    }

    private static func print(of plane: ScreenPlane, _ piece: ScreenPiece) throws(Errno) -> UInt64 {
        try piece.begin(.reading)
        defer { piece.end() }
        let place = plane.pieces[0]
        let lines = min(plane.height, (piece.bytes.count - place.offset) / max(place.bytesPerLine, 1))
        guard let base = piece.bytes.baseAddress, lines > 0 else { return 0 }
        return InPlaceWatch.print(
            of: VideoFrame.Plane(base: base + place.offset, bytesPerLine: place.bytesPerLine, lines: lines),
            lineBytes: place.bytesPerLine)
    }

    /// The view's picture, once whoever draws it is done.
    private func fencedPicture() throws(Failure) -> VideoFrame? {
        let busy = memory.firstBusy()
        if let busy {
            let now = MonotonicTime.now
            let limit = fenceLimit ?? now + Self.fencePatience
            if now < limit {
                if fenceLimit == nil { pictures.ring(at: limit) }
                fenceLimit = limit
                // What cannot be waited for is taken as it is.
                if (try? pictures.open(busy.buffer.descriptor)) != nil { return nil }
            }
            unfencedFrames += 1
        }
        guard fenceLimit != nil else { return try picture(at: view.time) }
        fenceLimit = nil
        pictures.silence()
        listen()
        // A flip waits for the drawing as well, and is seen from the next blank on.
        return try picture(at: busy == nil ? blank(behind: .now) : view.time)
    }

    /// The first blank that is not before a moment, reckoned from the view's.
    private func blank(behind moment: MonotonicTime) -> MonotonicTime {
        let period = mode.refresh.nanoseconds(of: 1)
        let blanks = (max(moment - view.time, 0) + period - 1) / period
        return view.time + mode.refresh.nanoseconds(of: blanks)
    }

    /// The view's picture, seen from a moment on; nil while there is no frame for it.
    private func picture(at moment: MonotonicTime) throws(Failure) -> VideoFrame? {
        guard let frames else { return nil }
        let frame: VideoFrame?
        if frames.takesShared, let piece = passingPiece {
            frame = frames.share(piece)
        } else {
            do throws(Failure) {
                frame = try drawn(frames)
            } catch {
                // What this process may not look at is a screen that cannot be read, and no end of the recording.
                guard error.kind == .noSource else { throw error }
                lose(drawing: error)
                return nil
            }
        }
        guard let frame else {
            // It is owed: the next blank brings it, changed or not.
            if !isWanted { lostFrames += 1 }
            isWanted = true
            return nil
        }
        if view.planes.contains(where: \.isScaled) { nearestFrames += 1 }
        lastTime = max(moment, lastTime + 1)
        number += 1
        (frame.time, frame.sequence, frame.isSlate, isWanted) = (lastTime, number, false, false)
        return frame
    }

    /// The view's picture, put together.
    /// - Returns: nil while no frame is free.
    /// - Throws: `Failure` of kind noSource where what is shown cannot be looked at.
    func drawn(_ frames: ScreenFrames) throws(Failure) -> VideoFrame? {
        guard let painter else { return nil }
        var reason: Failure?
        let frame = frames.draw { frame in
            do throws(Failure) {
                try painter.paint(view, memory.shown, view.turn(wantedTurn), onto: frame)
                return true
            } catch {
                reason = error
                return false
            }
        }
        if let reason { throw reason }
        return frame
    }

    /// The framebuffer that can be handed on as it is; nil when the picture has to be put together.
    var passingPiece: ScreenPiece? {
        guard view.planes.count == 1, setting.planes.count == 1 else { return nil }
        let plane = view.planes[0]
        guard let code = plane.plainCode(mode, view.turn(wantedTurn)), code == setting.fourcc,
            format.pixelFormat.isRGB || plane.plainColor == format.color
        else { return nil }
        let place = plane.pieces[0]
        guard place.bytesPerLine == setting.planes[0].bytesPerLine,
            let piece = memory.piece(place.buffer), piece.buffer.byteCount >= setting.planes[0].byteCount
        else { return nil }
        return piece
    }

    private func slate() -> VideoFrame? {
        guard pictures.takeTicks() > 0, let frame = frames?.slate(signal.slateText) else { return nil }
        // A millisecond is more than a tick of any file.
        lastTime = max(.now, lastTime + 1_000_000)
        number += 1
        (frame.time, frame.sequence, frame.isSlate) = (lastTime, number, true)
        return frame
    }
}
