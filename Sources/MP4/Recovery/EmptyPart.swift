import Linux
import Media

/// What to do with a part in which no whole fragment was found.
extension PartRecovery {
    /// How far fragments are looked for behind a damaged start.
    private static var searchByteCount: Int64 { 16 << 20 }

    /// Removes a part that never had a frame on the medium.
    /// - Throws: `Failure` of kind damaged, and nothing is touched, when the part has had frames: then its start was
    ///   damaged later, and somebody may still make something of the rest.
    func removeEmpty(
        _ record: SessionRecord, isFlipped: Bool, _ output: any PartOutput
    ) throws(Failure) -> RecoveryResult {
        guard !isFlipped, claimedByteCount <= Self.searchByteCount, !hasLaterFragment(record) else {
            throw Failure(
                .damaged, path, because: "the start of the recording is damaged, while later parts of it are there",
                mend: "It was left as it is.")
        }
        do {
            try output.remove()
        } catch {
            throw .medium(error, "cannot remove \(path)")
        }
        return .removedEmpty
    }

    /// Whether somewhere a fragment says that another one was on the medium before it.
    private func hasLaterFragment(_ record: SessionRecord) -> Bool {
        let start = SessionRecord.offset + Int64(SessionRecord.byteCount)
        var offset = start
        while let found = nextRecord(from: offset) {
            if let fragment = RecordWalk.record(window, at: found), fragment.session == record.session.identifier,
                fragment.part == record.part, fragment.durableEnd > start
            {
                return true
            }
            offset = found + 1
        }
        return false
    }

    /// The next place at which the name of a fragment record stands.
    private func nextRecord(from offset: Int64) -> Int64? {
        // The name follows size and type.
        let name = FragmentRecord.userType.bytes
        var place = offset + 8
        while let bytes = try? window.bytes(at: place, count: 64 << 10), bytes.count >= name.count {
            if let index = bytes.firstIndex(of: name) { return place + Int64(index) - 8 }
            place += Int64(bytes.count - name.count + 1)
        }
        return nil
    }
}

extension UnsafeRawBufferPointer {
    /// Where a run of bytes stands for the first time.
    fileprivate func firstIndex(of pattern: [UInt8]) -> Int? {
        guard let first = pattern.first, count >= pattern.count else { return nil }
        for index in 0...(count - pattern.count) where self[index] == first {
            if self[index..<(index + pattern.count)].elementsEqual(pattern) { return index }
        }
        return nil
    }
}
