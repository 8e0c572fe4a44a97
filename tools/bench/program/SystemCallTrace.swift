/// What a program asked of the kernel while it recorded, as strace wrote it (`-f -y -s 0 -o`): how many calls, and which
/// memory of devices it had mapped.
struct SystemCallTrace {
    /// The queues of the devices whose pictures are followed.
    enum Queue: String {
        /// Raw pictures out of the capture device.
        case captured = "the capture device's buffers"
        /// Raw pictures into the encoder.
        case raw = "the encoder's raw buffers"
        /// What the encoder made of them.
        case coded = "the encoder's coded buffers"
        /// A dma-buf that is no coded buffer.
        case shared = "a dma-buf of raw pictures"
    }

    /// Pictures that were taken out of the counting device in the time that is counted.
    private(set) var pictures = 0
    /// Calls of all threads in that time, by name.
    private(set) var calls: [String: Int] = [:]
    /// Bytes that were mapped of each queue, all buffers together, over the whole run.
    private(set) var mappedBytes: [Queue: Int] = [:]
    /// The most buffers that each queue had.
    private(set) var buffers: [Queue: Int] = [:]
    /// Descriptors that were made of buffers (VIDIOC_EXPBUF).
    private(set) var exported = 0
    /// Whether raw pictures were handed over in memory of the process (V4L2_MEMORY_USERPTR) or by `read`.
    private(set) var tookPicturesByCopy = false
    /// The length of the dma-buf that each descriptor led to when it was mapped.
    private var sharedLengths: [Int: Int] = [:]
    /// Bytes of dma-bufs that were opened to the processor and closed again in the time that is counted, taken twice.
    private var openedBytes = 0
    private let capture: String?
    private let counting: String
    private let encoders: [String]
    private var isCounting = false
    private var hasPicture = false
    private var sinceLastPicture: [String: Int] = [:]
    private var codedLengths: Set<Int> = []
    /// The first halves of calls that another thread's came between.
    private var begun: [Substring: Substring] = [:]
    /// In a memory-to-memory device the capture queue's offsets begin here (`v4l2-mem2mem.c`, DST_QUEUE_OFF_BASE).
    private static let codedOffset = 1 << 30

    /// - Parameters:
    ///   - text: the trace.
    ///   - capture: the capture device's node, without links: "/dev/video0"; nil where there is none.
    ///   - pictures: the node out of whose CAPTURE queue each picture comes once.
    ///   - encoders: the nodes of the encoders and converters.
    ///   - counted: the bytes of the text with the calls that are counted: neither the recording's start nor its end.
    init(_ text: String, capture: String?, pictures: String, encoders: [String], counted: Range<Int>) {
        self.capture = capture
        counting = pictures
        self.encoders = encoders
        var place = 0
        for line in text.split(separator: "\n") {
            isCounting = counted.contains(place)
            take(line)
            place += line.utf8.count + 1
        }
    }

    /// Calls a picture.
    var callsPerPicture: Double { Double(calls.values.reduce(0, +)) / Double(max(pictures, 1)) }

    /// Bytes of raw pictures that the processor had before it, a picture: of each mapped queue one buffer, and all of each
    /// dma-buf as often as it was opened to the processor (DMA_BUF_IOCTL_SYNC).
    var touchedBytesPerPicture: Int {
        let queues: [Queue] = [.captured, .raw]
        return queues.reduce(openedBytes / 2 / max(pictures, 1)) {
            $0 + (mappedBytes[$1] ?? 0) / max(buffers[$1] ?? 1, 1)
        }
    }

    /// The calls a picture, those first that are most frequent: "ioctl 7.0, epoll_pwait 2.1".
    var callList: String {
        let sorted = calls.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        return sorted.filter { $0.value * 50 >= pictures }.map { name, count in
            "\(name) \(decimal(Double(count) / Double(max(pictures, 1)), places: 2))"
        }.joined(separator: ", ")
    }

    /// What was mapped, in words.
    var mappedList: String {
        let queues: [Queue] = [.captured, .raw, .shared, .coded]
        let mapped = queues.filter { mappedBytes[$0] != nil }.map(\.rawValue)
        return mapped.isEmpty ? "nothing" : mapped.joined(separator: ", ")
    }

    /// A line: the thread's number, then a call, or the half of one.
    private mutating func take(_ line: Substring) {
        let thread = line.prefix { $0 != " " }
        var call = line.dropFirst(thread.count).drop { $0 == " " }
        if call.hasPrefix("<... ") {
            guard let first = begun.removeValue(forKey: thread), let end = call.firstIndex(of: ">") else { return }
            call = first + call[call.index(after: end)...]
        } else {
            // A signal, or the end of a thread.
            guard !call.hasPrefix("---"), !call.hasPrefix("+++") else { return }
            count(call.prefix { $0 != "(" })
        }
        if call.hasSuffix("<unfinished ...>") {
            begun[thread] = call.dropLast("<unfinished ...>".count)
        } else {
            follow(call)
        }
    }

    private mutating func count(_ name: Substring) {
        if hasPicture { sinceLastPicture[String(name), default: 0] += 1 }
    }

    /// Looks at a whole call.
    private mutating func follow(_ call: Substring) {
        guard let path = Self.path(in: call) else { return }
        if call.hasPrefix("mmap(") { return followMapping(call, of: path) }
        if call.hasPrefix("read("), let capture, path == capture { tookPicturesByCopy = true }
        guard call.hasPrefix("ioctl("), call.hasSuffix(" = 0") else { return }
        if call.contains(" VIDIOC_DQBUF,") && path == counting && call.contains("_VIDEO_CAPTURE") { countPicture() }
        if call.contains(" DMA_BUF_IOCTL_SYNC,"), isCounting, hasPicture {
            // To be read or written, and done with.
            openedBytes += Int(call.dropFirst("ioctl(".count).prefix { $0.isNumber }).flatMap { sharedLengths[$0] } ?? 0
        }
        if call.contains(" VIDIOC_EXPBUF,") { exported += 1 }
        if call.contains(" VIDIOC_REQBUFS,") { followRequest(call, of: path) }
        if call.contains(" VIDIOC_QUERYBUF,"), queue(of: path, call) == .coded,
            let length = Self.number(after: "length=", in: call)
        {
            codedLengths.insert(length)
        }
    }

    /// Calls are counted between two pictures.
    private mutating func countPicture() {
        if hasPicture && isCounting {
            pictures += 1
            calls.merge(sinceLastPicture, uniquingKeysWith: +)
        }
        hasPicture = isCounting
        sinceLastPicture = [:]
    }

    private mutating func followRequest(_ call: Substring, of path: Substring) {
        guard let queue = queue(of: path, call), let granted = Self.number(after: "=> ", in: call) else { return }
        buffers[queue] = max(buffers[queue] ?? 0, granted)
        if call.contains("V4L2_MEMORY_USERPTR") && queue != .coded { tookPicturesByCopy = true }
    }

    private mutating func followMapping(_ call: Substring, of path: Substring) {
        let arguments = call.prefix { $0 != ")" }.split(separator: ",")
        guard arguments.count == 6, let length = Int(arguments[1].drop { $0 == " " }) else { return }
        // A call that was interrupted has a blank behind it; an offset of 0 is a single digit.
        let offset = Int(arguments[5].drop { $0 == " " }.dropFirst(2).prefix { $0.isHexDigit }, radix: 16) ?? 0
        var queue: Queue?
        if let capture, path == capture {
            queue = .captured
        } else if encoders.contains(String(path)) {
            queue = offset >= Self.codedOffset ? .coded : .raw
        } else if path.contains("dmabuf") {
            queue = codedLengths.contains(length) ? .coded : .shared
        }
        if let queue { mappedBytes[queue, default: 0] += length }
        if queue == .shared, let descriptor = Int(arguments[4].dropFirst().prefix { $0.isNumber }) {
            sharedLengths[descriptor] = length
        }
    }

    private func queue(of path: Substring, _ call: Substring) -> Queue? {
        if let capture, path == capture { return .captured }
        guard encoders.contains(String(path)) else { return nil }
        return call.contains("V4L2_BUF_TYPE_VIDEO_OUTPUT") ? .raw : .coded
    }

    /// The file behind a descriptor: "/dev/video0" of "5</dev/video0>".
    private static func path(in call: Substring) -> Substring? {
        guard let start = call.firstIndex(of: "<") else { return nil }
        return call[call.index(after: start)...].prefix { $0 != ">" }
    }

    private static func number(after name: String, in call: Substring) -> Int? {
        var rest = call
        while let start = rest.firstIndex(of: name.first ?? " ") {
            rest = rest[start...]
            if rest.hasPrefix(name) { return Int(rest.dropFirst(name.count).prefix { $0.isNumber }) }
            rest = rest.dropFirst()
        }
        return nil
    }
}
