import Linux
import Media

/// A view: 104 bytes, then 128 for each plane, then 8 for each piece of memory: its bytes.
extension ScreenMessage {
    /// Pixels in a line, and lines: of a mode, a framebuffer, a plane on the screen.
    private static let extents: ClosedRange<UInt32> = 1...65535
    /// The highest number of a blank, and the latest moment in nanoseconds: 73 years of a clock that starts with the board.
    /// What is computed of them has as much again before it overflows.
    static let farthest: Int64 = 1 << 61
    /// Vertical blanks a second, whole ones.
    private static let refreshRates: ClosedRange<Int64> = 1...1000
    private static let knownFlag: UInt16 = 1
    private static let blanksFlag: UInt16 = 2

    /// Writes what a screen shows.
    /// - Parameter number: the number of the order that it answers.
    /// - Throws: `Failure` of kind noSource where it is nothing that may travel: a plane outside of all measure, for one, or
    ///   blanks that come once in minutes.
    static func writeView(
        _ view: ScreenView, number: UInt32, into buffer: UnsafeMutableRawBufferPointer
    ) throws(Failure) -> UnsafeRawBufferPointer {
        guard view.planes.count <= ScreenView.mostPlanes, view.buffers.count <= ScreenView.mostBuffers,
            view.planes.allSatisfy({ isRight($0, buffers: view.isKnown ? ScreenView.mostBuffers : view.buffers.count) })
        else { throw failure(because: "its planes are outside of all measure") }
        guard isRight(view.sequence, view.time), view.refresh.map(isRight) ?? true else {
            throw failure(because: "its blanks are outside of all measure")
        }
        return write(.view, into: buffer) { writer in
            putState(of: view, number: number, &writer)
            writer.put(UInt32(view.planes.count))
            writer.put(UInt32(view.buffers.count))
            for plane in view.planes { put(plane, &writer) }
            for memory in view.buffers { writer.put(UInt64(memory.byteCount)) }
        }
    }

    private static func failure(because cause: String) -> Failure {
        Failure(
            .noSource, "cannot tell what the screen shows", because: cause, mend: "Take another mode, or fewer planes.")
    }

    private static func putState(of view: ScreenView, number: UInt32, _ writer: inout LittleEndianWriter) {
        let state: UInt16
        var mode: ScreenMode?
        switch view.state {
        case .lit(let shown): (state, mode) = (0, shown)
        case .off: state = 1
        case .unplugged: state = 2
        case .absent: state = 3
        }
        writer.put(number)
        writer.put(state)
        writer.put((view.isKnown ? knownFlag : 0) | (mode?.hasBlanks == true ? blanksFlag : 0))
        writer.put(view.sequence)
        writer.put(view.time.nanoseconds)
        writer.put(view.signature)
        writer.put(mode?.connector ?? "", in: nameSize)
        writer.put(UInt32(clamping: mode?.width ?? 0))
        writer.put(UInt32(clamping: mode?.height ?? 0))
        writer.put(mode?.refresh.numerator ?? 0)
        writer.put(mode?.refresh.denominator ?? 0)
    }

    private static func put(_ plane: ScreenPlane, _ writer: inout LittleEndianWriter) {
        writer.put(plane.id)
        writer.put(plane.kind.rawValue)
        writer.put(plane.blend.rawValue)
        writer.put(plane.matrix)
        writer.put(UInt8(plane.isFullRange ? 1 : 0))
        writer.put(Int32(plane.depth))
        writer.put(plane.framebuffer)
        writer.put(UInt32(plane.width))
        writer.put(UInt32(plane.height))
        writer.put(plane.fourcc)
        writer.put(plane.rotation)
        writer.put(plane.modifier)
        writer.put(plane.sourceX)
        writer.put(plane.sourceY)
        writer.put(plane.sourceWidth)
        writer.put(plane.sourceHeight)
        writer.put(Int32(plane.x))
        writer.put(Int32(plane.y))
        writer.put(UInt32(plane.targetWidth))
        writer.put(UInt32(plane.targetHeight))
        writer.put(plane.alpha)
        writer.put(UInt16(plane.pieces.count))
        writer.put(UInt32(0))
        for index in 0..<4 {
            let isThere = index < plane.pieces.count
            writer.put(UInt32(isThere ? plane.pieces[index].buffer : 0))
            writer.put(UInt32(isThere ? plane.pieces[index].offset : 0))
            writer.put(UInt32(isThere ? plane.pieces[index].bytesPerLine : 0))
        }
    }

    /// Reads a view. What was in it before is gone, whatever comes of it.
    /// - Parameter descriptors: what came with the message. They belong to the view when this succeeds, else to the caller
    ///   still.
    /// - Returns: the number of the order that is answered; nil where the message is wrong.
    static func readView(
        _ message: UnsafeRawBufferPointer, with descriptors: UnsafeBufferPointer<Int32>, into view: ScreenView
    ) -> UInt32? {
        view.clear()
        var reader = body(of: message)
        guard let number = takeState(&reader, into: view), let planes = reader.take(UInt32.self),
            let buffers = reader.take(UInt32.self), planes <= ScreenView.mostPlanes, buffers <= ScreenView.mostBuffers,
            Int(buffers) == descriptors.count, reader.remaining == 128 * Int(planes) + 8 * Int(buffers),
            view.isLit || (planes == 0 && buffers == 0), !view.isKnown || buffers == 0
        else { return nil }
        let places = view.isKnown ? ScreenView.mostBuffers : Int(buffers)
        for _ in 0..<planes {
            guard let plane = takePlane(&reader), isRight(plane, buffers: places) else { return nil }
            view.planes.append(plane)
        }
        return takeMemory(&reader, descriptors, into: view) ? number : nil
    }

    private static func takeState(_ reader: inout LittleEndianReader, into view: ScreenView) -> UInt32? {
        guard let number = reader.take(UInt32.self), let state = reader.take(UInt16.self),
            let flags = reader.take(UInt16.self), flags & ~(knownFlag | blanksFlag) == 0,
            let sequence = reader.take(UInt64.self),
            let time = reader.take(Int64.self).map(MonotonicTime.init(nanoseconds:)), isRight(sequence, time),
            let signature = reader.take(UInt64.self), let connector = reader.takeName(nameSize),
            let width = reader.take(UInt32.self), let height = reader.take(UInt32.self),
            let numerator = reader.take(Int64.self), let denominator = reader.take(Int64.self)
        else { return nil }
        switch state {
        case 0:
            guard signature != 0, !connector.isEmpty, extents.contains(width), extents.contains(height),
                let refresh = FrameRate(numerator, denominator), isRight(refresh)
            else { return nil }
            view.state = .lit(
                ScreenMode(
                    connector: connector, width: Int(width), height: Int(height), refresh: refresh,
                    hasBlanks: flags & blanksFlag != 0))
        case 1, 2, 3:
            guard flags == 0, connector.isEmpty, width == 0, height == 0, numerator == 0, denominator == 0 else {
                return nil
            }
            view.state = state == 1 ? .off : state == 2 ? .unplugged : .absent
        default: return nil
        }
        view.isKnown = flags & knownFlag != 0
        view.sequence = sequence
        view.time = time
        view.signature = signature
        return number
    }

    private static func takePlane(_ reader: inout LittleEndianReader) -> ScreenPlane? {
        var plane = ScreenPlane()
        guard let id = reader.take(UInt32.self), let kind = reader.take(UInt8.self).flatMap(ScreenPlane.Kind.init),
            let blend = reader.take(UInt8.self).flatMap(ScreenPlane.Blend.init), let matrix = reader.take(UInt8.self),
            let range = reader.take(UInt8.self), range <= 1, let depth = reader.take(Int32.self),
            let framebuffer = reader.take(UInt32.self), let width = reader.take(UInt32.self),
            let height = reader.take(UInt32.self), let fourcc = reader.take(UInt32.self),
            let rotation = reader.take(UInt32.self), let modifier = reader.take(UInt64.self)
        else { return nil }
        (plane.id, plane.kind, plane.blend, plane.matrix, plane.isFullRange) = (id, kind, blend, matrix, range == 1)
        (plane.depth, plane.framebuffer, plane.width, plane.height) = (Int(depth), framebuffer, Int(width), Int(height))
        (plane.fourcc, plane.rotation, plane.modifier) = (fourcc, rotation, modifier)
        return takePlace(of: &plane, &reader) && takePieces(of: &plane, &reader) ? plane : nil
    }

    private static func takePlace(of plane: inout ScreenPlane, _ reader: inout LittleEndianReader) -> Bool {
        guard let sourceX = reader.take(UInt32.self), let sourceY = reader.take(UInt32.self),
            let sourceWidth = reader.take(UInt32.self), let sourceHeight = reader.take(UInt32.self),
            let x = reader.take(Int32.self), let y = reader.take(Int32.self), let width = reader.take(UInt32.self),
            let height = reader.take(UInt32.self), let alpha = reader.take(UInt16.self)
        else { return false }
        (plane.sourceX, plane.sourceY) = (sourceX, sourceY)
        (plane.sourceWidth, plane.sourceHeight) = (sourceWidth, sourceHeight)
        (plane.x, plane.y, plane.targetWidth, plane.targetHeight) = (Int(x), Int(y), Int(width), Int(height))
        plane.alpha = alpha
        return true
    }

    private static func takePieces(of plane: inout ScreenPlane, _ reader: inout LittleEndianReader) -> Bool {
        guard let count = reader.take(UInt16.self), count >= 1, count <= 4, reader.take(UInt32.self) == 0 else {
            return false
        }
        for index in 0..<4 {
            guard let buffer = reader.take(UInt32.self), let offset = reader.take(UInt32.self),
                let bytesPerLine = reader.take(UInt32.self)
            else { return false }
            if index < count {
                plane.pieces.append(
                    .init(buffer: Int(buffer), offset: Int(offset), bytesPerLine: Int(bytesPerLine)))
            } else if buffer != 0 || offset != 0 || bytesPerLine != 0 {
                return false
            }
        }
        return true
    }

    private static func takeMemory(
        _ reader: inout LittleEndianReader, _ descriptors: UnsafeBufferPointer<Int32>, into view: ScreenView
    ) -> Bool {
        // The view owns a descriptor as soon as it has it, so all sizes are looked at first.
        var sizes = reader
        for _ in descriptors {
            guard let size = sizes.take(UInt64.self), size > 0, size <= 1 << 40 else { return false }
        }
        for descriptor in descriptors {
            view.own(SharedBuffer(descriptor: descriptor, byteCount: Int(reader.take(UInt64.self) ?? 0)))
        }
        return true
    }

    /// Whether a blank may have this number, and be at this time of a clock that starts with the board.
    private static func isRight(_ sequence: UInt64, _ time: MonotonicTime) -> Bool {
        sequence <= UInt64(farthest) && (0...farthest).contains(time.nanoseconds)
    }

    private static func isRight(_ refresh: FrameRate) -> Bool {
        refreshRates.contains(refresh.numerator / refresh.denominator)
    }

    /// Whether a plane is what the kernel could have told: so nothing overflows that is computed of it.
    private static func isRight(_ plane: ScreenPlane, buffers: Int) -> Bool {
        func isExtent(_ number: Int) -> Bool { UInt32(exactly: number).map(extents.contains) ?? false }
        func isInside(_ start: UInt32, _ length: UInt32, _ whole: Int) -> Bool {
            length > 0 && UInt64(start) + UInt64(length) <= UInt64(whole) << 16
        }
        return isExtent(plane.width) && isExtent(plane.height) && isExtent(plane.targetWidth)
            && isExtent(plane.targetHeight) && Int32(exactly: plane.x) != nil && Int32(exactly: plane.y) != nil
            && Int32(exactly: plane.depth) != nil
            && isInside(plane.sourceX, plane.sourceWidth, plane.width)
            && isInside(plane.sourceY, plane.sourceHeight, plane.height)
            && plane.rotation < 64 && (plane.rotation & 15).nonzeroBitCount == 1
            && [1, 6, 9].contains(plane.matrix) && !plane.pieces.isEmpty
            && plane.pieces.allSatisfy {
                $0.buffer >= 0 && $0.buffer < buffers && UInt32(exactly: $0.offset) != nil
                    && UInt32(exactly: $0.bytesPerLine) != nil
            }
    }
}

extension ScreenView {
    /// Whether the screen shows something.
    var isLit: Bool {
        if case .lit = state { true } else { false }
    }

    fileprivate var refresh: FrameRate? {
        if case .lit(let mode) = state { mode.refresh } else { nil }
    }
}
