import Linux
import Media

/// The slates of an input: one frame, which is drawn when its words change and given out again and again.
struct SlateReel {
    /// Nanoseconds from one slate to the next: ten a second.
    static let interval: Int64 = 100_000_000
    private var frame: VideoFrame?
    private var isOut = false
    private var words = ""

    /// Takes a frame, so that one is there when it is needed.
    mutating func load(from stream: CaptureStream) {
        if frame == nil { (frame, words) = (stream.takeFree(), "") }
    }

    /// The next slate; nil while the one before is not back, or no frame is free.
    mutating func next(_ words: String, from stream: CaptureStream) -> VideoFrame? {
        load(from: stream)
        guard let frame, !isOut else { return nil }
        if self.words != words {
            let slate = Slate(words, stream.format)
            guard (try? stream.draw(into: frame, slate.draw)) != nil else { return nil }
            self.words = words
        }
        isOut = true
        frame.isSlate = true
        frame.sequence = stream.takeNumber()
        return frame
    }

    /// Takes the slate back from its reader.
    /// - Returns: false when it is another frame.
    mutating func take(_ frame: VideoFrame) -> Bool {
        guard isOut, self.frame === frame else { return false }
        isOut = false
        return true
    }

    /// Gives the frame back to pictures: at once, or when its reader is done with it.
    mutating func unload(into stream: CaptureStream) {
        if let frame, !isOut { stream.release(frame) }
        self = SlateReel()
    }
}
