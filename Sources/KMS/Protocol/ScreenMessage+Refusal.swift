import Media

/// A refusal: which of the known failures it is (2 bytes), the bytes of the three sentences that tell of it (2 each), and
/// the sentences: thing, cause, mend.
extension ScreenMessage {
    /// Bytes of a sentence; a longer one is cut off.
    private static let mostText = 600
    /// The failures that travel, by their numbers from 1 on; another one travels as an internal fault.
    private static let kinds: [FailureKind] = [.internalFault, .noSource, .notAuthorised, .busy, .invalidValue]

    static func writeRefusal(_ failure: Failure, into buffer: UnsafeMutableRawBufferPointer) -> UnsafeRawBufferPointer {
        let texts = (failure.thing, failure.cause, failure.mend)
        return write(.refusal, into: buffer) { writer in
            writer.put(UInt16((kinds.firstIndex(of: failure.kind) ?? 0) + 1))
            for text in [texts.0, texts.1, texts.2] { writer.put(UInt16(min(text.utf8.count, mostText))) }
            for text in [texts.0, texts.1, texts.2] { writer.put(text, in: min(text.utf8.count, mostText)) }
        }
    }

    static func readRefusal(_ message: UnsafeRawBufferPointer) -> Failure? {
        var reader = body(of: message)
        guard let number = reader.take(UInt16.self), number >= 1, number <= kinds.count,
            let thingSize = reader.take(UInt16.self), let causeSize = reader.take(UInt16.self),
            let mendSize = reader.take(UInt16.self),
            max(thingSize, causeSize, mendSize) <= mostText,
            let thing = reader.takeText(Int(thingSize)), let cause = reader.takeText(Int(causeSize)),
            let mend = reader.takeText(Int(mendSize)), reader.remaining == 0
        else { return nil }
        return Failure(kinds[Int(number) - 1], thing, because: cause, mend: mend)
    }
}
