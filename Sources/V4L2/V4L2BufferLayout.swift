import Media

/// Where the planes of a picture lie in a device's buffers.
public struct V4L2BufferLayout: Hashable, Sendable {
    /// A plane's place.
    public struct Place: Hashable, Sendable {
        /// The piece of memory.
        public var piece: Int
        /// Bytes in front of it.
        public var offset: Int
        public var bytesPerLine: Int
        public var lines: Int
        /// Bytes of a line that belong to the picture.
        public var lineBytes: Int

        /// Bytes from the piece's start to the last sample's end.
        public var end: Int { offset + (lines - 1) * bytesPerLine + lineBytes }
    }

    /// The planes' places, in the order of the pixel format's planes.
    public let places: [Place]

    /// - Parameters:
    ///   - format: as the driver set it.
    ///   - layout: of the format's four-character code.
    /// - Returns: nil when a piece is too small for its planes.
    public init?(_ format: V4L2Format, _ layout: V4L2Layout) {
        let shapes = layout.pixelFormat.planes(width: format.width, height: format.height)
        if layout.pixelFormat == .mjpeg {
            let count = format.planes[0].byteCount
            places = [Place(piece: 0, offset: 0, bytesPerLine: count, lines: 1, lineBytes: count)]
            return
        }
        var places: [Place] = []
        var offset = 0
        for (index, shape) in shapes.enumerated() {
            let piece = layout.hasSeparatePlanes ? index : 0
            guard piece < format.planes.count else { return nil }
            var bytesPerLine = format.planes[piece].bytesPerLine
            if !layout.hasSeparatePlanes && index > 0 {
                // In one piece only luma's line length is given; the others follow from it.
                bytesPerLine = bytesPerLine * shape.bytesPerLine / shapes[0].bytesPerLine
            }
            bytesPerLine = max(bytesPerLine, shape.bytesPerLine)
            let place = Place(
                piece: piece, offset: layout.hasSeparatePlanes ? 0 : offset, bytesPerLine: bytesPerLine,
                lines: shape.lines, lineBytes: shape.bytesPerLine)
            guard place.end <= format.planes[piece].byteCount else { return nil }
            places.append(place)
            offset += bytesPerLine * shape.lines
        }
        if layout.isSwapped { places.swapAt(1, 2) }
        self.places = places
    }

    /// Bytes that the first piece holds of a whole picture.
    public var firstPieceBytes: Int { places.filter { $0.piece == 0 }.map(\.end).max() ?? 0 }

    /// A buffer as a frame.
    /// - Parameter memory: gives a piece; stays in place for as long as the frame lives.
    public func frame(_ index: Int, memory: (Int) -> UnsafeMutableRawBufferPointer) -> VideoFrame? {
        var planes: [VideoFrame.Plane] = []
        for place in places {
            let piece = memory(place.piece)
            guard let base = piece.baseAddress, place.end <= piece.count else { return nil }
            planes.append(
                VideoFrame.Plane(base: base + place.offset, bytesPerLine: place.bytesPerLine, lines: place.lines))
        }
        return VideoFrame(index: index, planes: planes)
    }
}
