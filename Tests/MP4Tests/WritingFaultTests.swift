import Glibc
import Linux
import Media
import Testing

@testable import MP4

@Suite("Media that fail")
struct WritingFaultTests {
    let folder = TemporaryFolder(isInMemory: true)
    let session = Session()
    let streams = [EncodedStream.noise(frames: 150, size: 30), EncodedStream.audioNoise(packets: 235, size: 10)]

    /// The finished file of the first fragments.
    private func reference(_ count: Int) throws -> [UInt8] {
        let path = folder.file("reference")
        unlink(path)
        try Recorded.finished(streams, at: path, session: session, limit: count)
        return contents(of: path)
    }

    /// Records and finishes on a medium that fails at some call.
    /// - Returns: the first failure, and how many bytes had been called safe before it.
    private func record(_ output: FaultyOutput, _ path: String) throws -> (failure: Failure, durable: Int64)? {
        let part: PartFile
        do {
            part = try PartFile(output: output, path: path, session: session, part: 1)
        } catch {
            return (error, 0)
        }
        do {
            var recorded = Recorded(streams)
            try recorded.write(to: part)
            _ = try part.finalise()
            return nil
        } catch let failure as Failure {
            #expect(throws: failure) { try part.flush() }
            #expect(throws: failure) { try part.finalise() }
            return (failure, part.durableByteCount)
        }
    }

    @Test("whichever call of the medium fails, the part ends with mediumFailed, and all that was safe is recovered")
    func everyCall() throws {
        let path = folder.file("part.mp4")
        var call = 0
        while true {
            let output = FaultyOutput(try FileOutput.create(at: path), failingCall: call)
            let outcome = try record(output, path)
            guard let (failure, durable) = outcome else { break }
            #expect(failure.kind == .mediumFailed, "call \(call)")
            let bytes = contents(of: path)
            if durable <= 132 {
                unlink(path)
            } else {
                let result = try recoverReleased(bytes)
                guard case .finished(_, let frames, _) = result.0 else {
                    // Only the last flush may fail on a file that is finished.
                    #expect(result.0 == .alreadyFinal, "call \(call)")
                    unlink(path)
                    call += 1
                    continue
                }
                #expect(result.1.count > Int(durable), "call \(call)")
                let expected = try reference(frames / 30)
                #expect(result.1 == expected, "call \(call)")
            }
            unlink(path)
            call += 1
        }
        // The start takes two calls, each of five fragments two, the end four.
        #expect(call == 16)
    }

    /// Recovers a copy, as the file itself may still be locked.
    private func recoverReleased(_ bytes: [UInt8]) throws -> (RecoveryResult, [UInt8]) {
        let copy = folder.file("copy.mp4")
        write(bytes, to: copy)
        return (try Recovery.recover(path: copy), contents(of: copy))
    }

    @Test(
        "a medium that fills up leaves the longest finished file that it has room for",
        arguments: [ENOSPC, EDQUOT, EFBIG])
    func everyCapacity(_ error: Int32) throws {
        let references = try (1...5).map { try reference($0) }
        let path = folder.file("part.mp4")
        for capacity in stride(from: references[0].count - 150, to: references[4].count + 20, by: 61) {
            unlink(path)
            let output = FaultyOutput(
                try FileOutput.create(at: path), capacity: Int64(capacity), fullError: error)
            let part = try PartFile(output: output, path: path, session: session, part: 1)
            var recorded = Recorded(streams)
            do {
                try recorded.write(to: part)
            } catch let failure as Failure {
                #expect(failure.kind == .mediumFull)
                #expect(contents(of: path).count == Int(part.byteCount), "nothing is left of what did not fit")
            }
            guard let expected = references.last(where: { $0.count <= capacity }) else {
                #expect(throws: Failure.self) { try part.finalise() }
                continue
            }
            let written = part.byteCount
            let summary = try part.finalise()
            let count = summary.tracks[0].sampleCount / 30
            #expect(references[count - 1].count == expected.count, "capacity \(capacity)")
            #expect(summary.byteCount == Int64(expected.count))
            #expect(summary.nanosecondsGivenUp > 0 || summary.fragmentsGivenUp == 0)
            #expect((summary.fragmentsGivenUp > 0) == (written > Int64(firstDifference(expected))))
            #expect(try recoverReleased(contents(of: path)).0 == .alreadyFinal)
        }
    }

    /// Where the tables of a finished file begin.
    private func firstDifference(_ finished: [UInt8]) -> Int {
        32 + finished[32..<36].reduce(0) { $0 << 8 | Int($1) }
    }

    @Test("fragments that are written together but do not fit together are kept as far as they fit")
    func groupOnFullMedium() throws {
        let path = folder.file("part.mp4")
        let whole = try reference(5)
        let output = FaultyOutput(try FileOutput.create(at: path), capacity: Int64(firstDifference(whole)) - 10)
        let part = try PartFile(output: output, path: path, session: session, part: 1)
        var recorded = Recorded(streams)
        try part.begin(tracks: streams.map(\.track))
        let fragments = (1...5).compactMap { recorded.fragment(until: Int64($0) * 1_000_000_000) }
        #expect(throws: Failure.self) { try part.append(fragments) }
        let summary = try part.finalise()
        #expect(summary.tracks[0].sampleCount + summary.fragmentsGivenUp * 30 == 120)
    }

    @Test("a fragment takes one write and one flush")
    func calls() throws {
        let path = folder.file("part.mp4")
        let output = FaultyOutput(try FileOutput.create(at: path))
        let part = try PartFile(output: output, path: path, session: session, part: 1)
        let (writes, flushes) = (output.writes, output.flushes)
        var recorded = Recorded(streams)
        try recorded.write(to: part)
        #expect(output.writes - writes == 5)
        #expect(output.flushes - flushes == 5)
        try part.flush()
        #expect(output.flushes - flushes == 5, "there was nothing to flush")
    }

    @Test("a recovery that is cut at any call is finished by the next one")
    func recoveryCutAtEveryCall() throws {
        let path = folder.file("part.mp4")
        try Recorded.unfinished(streams, at: path, session: session)
        let open = contents(of: path)
        let whole = try reference(5)
        for isFlipped in [false, true] {
            var call = 0
            while true {
                write((isFlipped ? Array(whole[..<48]) : Array(open[..<48])) + open[48...] + [1, 2, 3], to: path)
                let file = try FileDescriptor.open(path, O_RDWR)
                let inner = try FileOutput.existing(file, path: path)
                let output = FaultyOutput(inner, failingCall: call)
                let window = FileWindow(inner.descriptor, capacity: RecordWalk.windowByteCount, readahead: 4096)
                let recovery = PartRecovery(
                    window: window, output: output, path: path, claimedByteCount: Int64(open.count),
                    isThorough: false)
                do {
                    _ = try recovery.run()
                    break
                } catch {
                    #expect(error.kind == .mediumFailed)
                }
                let (result, bytes) = try recoverReleased(contents(of: path))
                #expect(result != .removedEmpty)
                #expect(bytes == whole, "call \(call)")
                call += 1
            }
            #expect(call == (isFlipped ? 7 : 5))
        }
    }

    @Test("a recovery that finds no room for the tables gives nothing up, and is done once there is room")
    func recoveryOnFullMedium() throws {
        let path = folder.file("part.mp4")
        try Recorded.unfinished(streams, at: path, session: session)
        let open = contents(of: path)
        do {
            let inner = try FileOutput.existing(try FileDescriptor.open(path, O_RDWR), path: path)
            let output = FaultyOutput(inner, capacity: Int64(open.count) + 100)
            let window = FileWindow(inner.descriptor, capacity: RecordWalk.windowByteCount, readahead: 4096)
            let recovery = PartRecovery(
                window: window, output: output, path: path, claimedByteCount: Int64(open.count), isThorough: false)
            #expect(throws: Failure.self) { try recovery.run() }
            #expect(contents(of: path) == open)
        }
        let (result, bytes) = try recoverReleased(open)
        #expect(result != .alreadyFinal)
        let whole = try reference(5)
        #expect(bytes == whole)
    }

    @Test("what cannot be created says why, and leaves nothing")
    func creation() throws {
        let session = session
        func kind(_ path: String) -> FailureKind? {
            do throws(Failure) {
                _ = try PartFile.create(at: path, session: session, part: 1)
                return nil
            } catch {
                return error.kind
            }
        }
        write([1, 2, 3], to: folder.file("there.mp4"))
        #expect(kind(folder.file("there.mp4")) == .fileExists)
        #expect(contents(of: folder.file("there.mp4")) == [1, 2, 3])
        #expect(kind(folder.file("missing/part.mp4")) == .noMedium)
        #expect(kind(folder.file("there.mp4/part.mp4")) == .noMedium)
        #expect(kind("/sys/part.mp4") == .mediumReadOnly)
        #expect(kind(folder.file(String(repeating: "n", count: 300))) == .invalidName)
        #expect(folder.names == ["there.mp4"])
    }

    @Test("a part without a frame is removed, and one with frames is not")
    func removal() throws {
        let path = folder.file("part.mp4")
        let empty = try PartFile.create(at: path, session: session, part: 1)
        try empty.begin(tracks: streams.map(\.track))
        #expect(!empty.hasFrame && folder.names == ["part.mp4"])
        #expect(throws: Failure.self) { try empty.finalise() }
        try empty.remove()
        #expect(folder.names == [])
        let full = try Recorded.unfinished(streams, at: path)
        #expect(throws: Failure.self) { try full.remove() }
        #expect(folder.names == ["part.mp4"])
    }
}
