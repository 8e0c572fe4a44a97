import Glibc
import Linux
import Media

/// Takes a YUV4MPEG2 stream apart: the first line, then frames straight into their memory. With each frame's samples it
/// asks for the next frame's line too, so that a frame from a file or a wide pipe costs one system call.
struct YUV4MPEG2Reader: ~Copyable {
    /// What a call to `read` came to.
    enum Progress: Equatable {
        /// The frame is whole.
        case frame
        /// Nothing more can be read now.
        case waiting
        /// The stream has ended; true when it broke off within a frame.
        case end(truncated: Bool)
    }

    private static let frameLine: StaticString = "FRAME\n"
    private let descriptor: FileDescriptor
    /// The next frame's line as far as it was read.
    private var line: [UInt8] = []
    private var isWithinFrame = false
    private var done = 0

    /// - Parameter descriptor: does not block, except where it is a regular file.
    init(_ descriptor: consuming FileDescriptor) {
        self.descriptor = descriptor
        line.reserveCapacity(YUV4MPEG2Header.longestLine)
    }

    var raw: Int32 { descriptor.raw }

    /// Reads the stream's first line, and waits for it.
    /// - Parameter milliseconds: the longest wait for the next byte.
    func header(milliseconds: Int32) throws(Failure) -> YUV4MPEG2Header {
        var text: [UInt8] = []
        while text.count < YUV4MPEG2Header.longestLine {
            var byte: UInt8 = 0
            var entry = pollfd(fd: descriptor.raw, events: Int16(POLLIN), revents: 0)
            guard poll(&entry, 1, milliseconds) != 0 else {
                throw YUV4MPEG2Header.refusal("nothing came for \(milliseconds / 1000) seconds")
            }
            let count = Glibc.read(descriptor.raw, &byte, 1)
            if count == 0 {
                throw YUV4MPEG2Header.refusal(text.isEmpty ? "it is empty" : "it ends within its first line")
            }
            if count < 0 {
                let reason = Errno.last
                if reason.code == EAGAIN || reason.code == EINTR { continue }
                throw YUV4MPEG2Header.refusal("\(reason)")
            }
            if byte == UInt8(ascii: "\n") { return try YUV4MPEG2Header(line: String(decoding: text, as: UTF8.self)) }
            text.append(byte)
        }
        throw YUV4MPEG2Header.refusal("it does not begin with YUV4MPEG2")
    }

    /// Reads on, without waiting, until the frame is whole.
    /// - Parameter samples: the frame's memory, all of it; the same in each call until the frame is whole.
    mutating func read(into samples: UnsafeMutableRawBufferPointer) throws(Failure) -> Progress {
        while true {
            if !isWithinFrame {
                if let progress = try readLine() { return progress }
                isWithinFrame = true
                done = 0
                line.removeAll(keepingCapacity: true)
            }
            let count = readSamples(samples)
            if count == 0 { return .end(truncated: true) }
            if count < 0 {
                if try mustWait() { return .waiting }
                continue
            }
            if done == samples.count {
                isWithinFrame = false
                return .frame
            }
        }
    }

    /// Reads what is left of a frame and the usual length of the next one's line.
    private mutating func readSamples(_ samples: UnsafeMutableRawBufferPointer) -> Int {
        var next: UInt64 = 0
        let left = samples.count - done
        let count = withUnsafeMutableBytes(of: &next) { next in
            var parts = (
                iovec(iov_base: samples.baseAddress.map { $0 + done }, iov_len: left),
                iovec(iov_base: next.baseAddress, iov_len: Self.frameLine.utf8CodeUnitCount)
            )
            return withUnsafeBytes(of: &parts) { parts in
                readv(descriptor.raw, parts.assumingMemoryBound(to: iovec.self).baseAddress, 2)
            }
        }
        guard count > 0 else { return count }
        done += min(count, left)
        if count > left { withUnsafeBytes(of: &next) { line.append(contentsOf: $0.prefix(count - left)) } }
        return count
    }

    /// Completes a frame's line; nil when it is whole.
    private mutating func readLine() throws(Failure) -> Progress? {
        while line.last != UInt8(ascii: "\n") {
            guard line.count < YUV4MPEG2Header.longestLine else { throw Self.isLost }
            // A line may be longer by parameters: then it is read byte by byte, so as not to reach into the samples.
            let wanted = max(Self.frameLine.utf8CodeUnitCount - line.count, 1)
            var bytes: UInt64 = 0
            let count = withUnsafeMutableBytes(of: &bytes) { Glibc.read(descriptor.raw, $0.baseAddress, wanted) }
            if count == 0 { return .end(truncated: !line.isEmpty) }
            if count < 0 {
                if try mustWait() { return .waiting }
                continue
            }
            withUnsafeBytes(of: &bytes) { line.append(contentsOf: $0.prefix(count)) }
            guard isFrameLine else { throw Self.isLost }
        }
        return nil
    }

    private var isFrameLine: Bool {
        let begins = Self.frameLine.withUTF8Buffer { word in
            line.prefix(5).elementsEqual(word.prefix(min(5, line.count)))
        }
        return begins && (line.count < 6 || line[5] == UInt8(ascii: "\n") || line[5] == UInt8(ascii: " "))
    }

    private static var isLost: Failure {
        YUV4MPEG2Header.refusal("a frame does not begin with FRAME where it should")
    }

    /// After a failed call: true when nothing is ready, false when the call must be made again.
    private func mustWait() throws(Failure) -> Bool {
        let reason = Errno.last
        if reason.code == EINTR { return false }
        if reason.code == EAGAIN { return true }
        throw YUV4MPEG2Header.refusal("\(reason)")
    }
}
