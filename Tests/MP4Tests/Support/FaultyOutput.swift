import Glibc
import Linux

@testable import MP4

/// An output that fails when it is told to, as a medium does.
final class FaultyOutput: PartOutput {
    private let inner: any PartOutput
    /// Bytes of the medium; a write beyond them is cut short and fails.
    private let capacity: Int64
    /// The error of a write for which there is no room.
    private let fullError: Int32
    /// The number of the call that fails, from 0.
    private let failingCall: Int
    private let error: Int32
    /// Calls so far.
    private(set) var calls = 0
    /// Flushes so far.
    private(set) var flushes = 0
    /// Writes so far.
    private(set) var writes = 0

    init(
        _ inner: any PartOutput, capacity: Int64 = .max, fullError: Int32 = ENOSPC, failingCall: Int = .max,
        error: Int32 = EIO
    ) {
        self.inner = inner
        self.capacity = capacity
        self.fullError = fullError
        self.failingCall = failingCall
        self.error = error
    }

    func write(_ pieces: [OutputPiece], at offset: Int64) throws(Errno) {
        writes += 1
        let total = pieces.reduce(0) { $0 + $1.bytes.count }
        if isFailing() {
            try write(pieces, at: offset, atMost: total / 2)
            throw Errno(error)
        }
        let room = max(capacity - offset, 0)
        try write(pieces, at: offset, atMost: Int(min(Int64(total), room)))
        if Int64(total) > room { throw Errno(fullError) }
    }

    func synchronise() throws(Errno) {
        flushes += 1
        if isFailing() { throw Errno(error) }
        try inner.synchronise()
    }

    func truncate(to length: Int64) throws(Errno) {
        if isFailing() { throw Errno(error) }
        try inner.truncate(to: length)
    }

    func forget(before offset: Int64) {
        inner.forget(before: offset)
    }

    func remove() throws(Errno) {
        if isFailing() { throw Errno(error) }
        try inner.remove()
    }

    private func isFailing() -> Bool {
        defer { calls += 1 }
        return calls == failingCall
    }

    private func write(_ pieces: [OutputPiece], at offset: Int64, atMost count: Int) throws(Errno) {
        var left = count
        var place = offset
        for piece in pieces where left > 0 {
            let part = UnsafeRawBufferPointer(rebasing: piece.bytes.prefix(left))
            try inner.write([OutputPiece(bytes: part, isMedia: piece.isMedia)], at: place)
            left -= part.count
            place += Int64(part.count)
        }
    }
}
