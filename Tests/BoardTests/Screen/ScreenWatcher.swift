import Glibc
import KMS
import Linux
import Media
import Testing

/// Someone who orders pictures of a screen and waits for them.
final class ScreenWatcher {
    let reader: any ScreenReader
    let view = ScreenView()

    init(_ reader: any ScreenReader) {
        self.reader = reader
    }

    /// The screen's own reader.
    convenience init(connector: String? = nil) throws {
        self.init(try CardReader(connector: connector))
    }

    /// Orders a picture, and waits until the view has it; ten seconds without an answer are an issue of the test.
    func read(_ order: ScreenOrder = ScreenOrder(), location: SourceLocation = #_sourceLocation) throws {
        try reader.order(order)
        try answer(location: location)
    }

    /// Waits for the answer to an order that is out.
    func answer(location: SourceLocation = #_sourceLocation) throws {
        var waiting = pollfd(fd: reader.descriptor, events: Int16(POLLIN), revents: 0)
        repeat {
            try #require(poll(&waiting, 1, 10_000) == 1, "no answer", sourceLocation: location)
        } while try !reader.next(view)
    }

    /// Orders pictures until the state is as wished; what does not come with three hundred is an issue of the test.
    func read(location: SourceLocation = #_sourceLocation, until isWished: (ScreenState) -> Bool) throws {
        for _ in 0..<300 {
            try read(location: location)
            if isWished(view.state) { return }
        }
        Issue.record("still \(view.state)", sourceLocation: location)
    }

    /// The mode of a screen that shows something.
    var mode: ScreenMode? {
        if case .lit(let mode) = view.state { mode } else { nil }
    }

    /// The pixel of a plane at a place of its framebuffer, as a number of 32 bits.
    func pixel(_ plane: ScreenPlane, _ x: Int, _ y: Int) throws -> UInt32 {
        let buffer = view.buffers[plane.pieces[0].buffer]
        let map = mmap(nil, buffer.byteCount, PROT_READ, MAP_SHARED, buffer.descriptor, 0)
        let bytes = try #require(map == MAP_FAILED ? nil : map)
        defer { munmap(bytes, buffer.byteCount) }
        let place = plane.pieces[0].offset + y * plane.pieces[0].bytesPerLine + 4 * x
        return bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)
    }

    /// The number of the picture that the board shows, modulo 16.
    func number() throws -> Int {
        let primary = try #require(view.planes.first)
        return Int(try pixel(primary, 0, 0) & 15)
    }
}
