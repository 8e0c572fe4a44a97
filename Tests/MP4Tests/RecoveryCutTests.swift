import Media
import Testing

@testable import MP4

/// A recording that may be cut anywhere, and what each number of whole fragments must become.
private struct CutRecording {
    /// The file as it was being recorded.
    let bytes: [UInt8]
    /// A file of the same shape from another session, whose old bytes may stand behind a cut.
    let stale: [UInt8]
    /// Where the fragments begin, and where the last one ends.
    let boundaries: [Int]
    /// The finished file of the first n fragments.
    let finished: [[UInt8]]
    /// Bytes in front of the description of the tracks.
    let headerLength = 132

    init(_ folder: TemporaryFolder) throws {
        func streams(seed: UInt64) -> [EncodedStream] {
            [
                .noise(frames: 300, size: 30, gop: 60, seed: seed), .audioNoise(packets: 460, size: 10, seed: seed),
            ]
        }
        let session = Session()
        try Recorded.unfinished(streams(seed: 1), at: folder.file("open"), session: session)
        bytes = contents(of: folder.file("open"))
        try Recorded.unfinished(streams(seed: 2), at: folder.file("stale"))
        stale = contents(of: folder.file("stale"))
        var finished: [[UInt8]] = []
        var boundaries: [Int] = []
        for count in 1...10 {
            let path = folder.file("finished\(count)")
            let part = try Recorded.unfinished(streams(seed: 1), at: path, session: session, limit: count)
            boundaries.append(Int(part.byteCount))
            _ = try part.finalise()
            finished.append(contents(of: path))
        }
        self.finished = finished
        self.boundaries = boundaries
    }

    /// How many fragments lie wholly before a place.
    func fragments(before place: Int) -> Int { boundaries.count { $0 <= place } }

    /// Every boundary of a record and the places beside it, and places chosen at random.
    var places: [Int] {
        var generator = NumberSequence(seed: 7)
        let exact = ([headerLength] + boundaries).flatMap { [$0 - 1, $0, $0 + 1] }
        let random = (0..<400).map { _ in Int.random(in: 0...bytes.count, using: &generator) }
        return (exact + random).filter { $0 <= bytes.count }
    }
}

@Suite("Recordings cut anywhere")
struct RecoveryCutTests {
    /// What stands behind the place of the cut.
    enum Tail: CaseIterable {
        /// The file ends there.
        case nothing
        /// Bytes that mean nothing.
        case garbage
        /// The bytes that an older recording had at the same places.
        case staleInPlace
        /// Whole fragments of an older recording.
        case staleFragments
    }

    @Test("recovery keeps exactly the whole fragments, and a second recovery changes nothing", arguments: Tail.allCases)
    func cut(_ tail: Tail) throws {
        let folder = TemporaryFolder(isInMemory: true)
        let recording = try CutRecording(folder)
        #expect(recording.boundaries.count == 10 && recording.boundaries.last == recording.bytes.count)
        var generator = NumberSequence(seed: 11)
        let path = folder.file("cut.mp4")
        for place in recording.places {
            var cut = Array(recording.bytes[..<place])
            switch tail {
            case .nothing: break
            case .garbage: cut += (0..<3000).map { _ in UInt8.random(in: 0...255, using: &generator) }
            case .staleInPlace: cut += recording.stale[place...]
            case .staleFragments: cut += recording.stale[recording.boundaries[2]...]
            }
            write(cut, to: path)
            let count = recording.fragments(before: place)
            if place < recording.headerLength {
                // Behind a cut so early nothing says that it is ours; the file is none of our business.
                #expect(throws: Failure.self) { try Recovery.recover(path: path) }
                #expect(contents(of: path) == cut)
            } else if count == 0 {
                #expect(try Recovery.recover(path: path) == .removedEmpty)
                #expect(!folder.names.contains("cut.mp4"))
            } else {
                let result = try Recovery.recover(path: path)
                let lost = cut.count - recording.boundaries[count - 1]
                let expected = RecoveryResult.finished(
                    nanoseconds: Int64(count) * 1_000_000_000, frames: count * 30, lostBytes: Int64(lost))
                #expect(result.hasSameKeepings(as: expected), "cut at \(place)")
                #expect(folder.holds(recording.finished[count - 1], in: path), "cut at \(place)")
                #expect(try Recovery.recover(path: path) == .alreadyFinal)
                #expect(folder.holds(recording.finished[count - 1], in: path), "cut at \(place)")
            }
        }
    }

    @Test("a cut while the tables are written, or after the header was, is recovered too")
    func cutWhileFinishing() throws {
        let folder = TemporaryFolder(isInMemory: true)
        let recording = try CutRecording(folder)
        let whole = recording.finished[9]
        let header = recording.bytes[..<48]
        let path = folder.file("cut.mp4")
        for place in stride(from: recording.bytes.count, through: whole.count, by: 97) {
            // With the old header: the cut came before the flip. With the new one: the medium changed their order.
            for isFlipped in [false, true] {
                write(Array(isFlipped ? whole[..<48] : header) + Array(whole[48..<place]), to: path)
                let result = try Recovery.recover(path: path)
                #expect(result != .removedEmpty)
                #expect(folder.holds(whole, in: path), "cut at \(place)")
            }
        }
        write(Array(header) + Array(whole[48...]), to: path)
        #expect(
            try Recovery.recover(path: path)
                == .finished(nanoseconds: recording.nanoseconds, frames: 300, lostBytes: 0))
        #expect(folder.holds(whole, in: path))
    }
}

extension CutRecording {
    /// The longest track of the whole recording.
    fileprivate var nanoseconds: Int64 { 10_000_000_000 }
}

extension RecoveryResult {
    /// Whether frames and lost bytes are equal, and the duration but for the part of a sound frame that may reach further.
    fileprivate func hasSameKeepings(as other: RecoveryResult) -> Bool {
        guard case .finished(let nanoseconds, let frames, let lost) = self,
            case .finished(let otherNanoseconds, let otherFrames, let otherLost) = other
        else { return self == other }
        return frames == otherFrames && lost == otherLost && abs(nanoseconds - otherNanoseconds) < 22_000_000
    }
}
