import CKernel
import Glibc
import Linux
import Media

/// A queue of buffers that travel between a program and a device (VIDIOC_REQBUFS, QBUF, DQBUF). Used by one thread.
/// The memory stays valid for as long as the queue lives and was not dismantled, whatever the device does.
public final class V4L2Queue {
    /// Which of the device's queues it is.
    public let type: V4L2BufferType
    /// The format that its buffers have.
    public let format: V4L2Format
    /// Whose memory the buffers are.
    public let memory: V4L2Memory
    /// The number of buffers.
    public let count: Int
    /// Buffers that the device has.
    public private(set) var queued = 0
    /// Whether it was started (VIDIOC_STREAMON) and not stopped since.
    public private(set) var isStreaming = false
    let device: V4L2Device
    /// The device's own pieces, buffer after buffer; none for memory of another device.
    private var pieces: [Piece] = []
    /// Where the kernel reads and writes planes in the multi-planar interface.
    private let planes: UnsafeMutablePointer<v4l2_plane>

    /// A piece of a buffer, mapped or exported.
    private final class Piece {
        let count: Int
        /// Empty where it is not mapped.
        let bytes: UnsafeMutableRawBufferPointer
        /// Not nil once it was exported.
        private(set) var shared: SharedBuffer?
        private let map: V4L2Map?
        private var export: FileDescriptor?

        init(count: Int) {
            self.count = count
            bytes = UnsafeMutableRawBufferPointer(start: nil, count: 0)
            map = nil
        }

        init(_ map: consuming V4L2Map) {
            count = map.bytes.count
            bytes = map.bytes
            self.map = consume map
        }

        func share(_ export: consuming FileDescriptor) {
            shared = SharedBuffer(descriptor: export.raw, byteCount: count)
            self.export = consume export
        }
    }

    /// Asks for buffers, and maps them where that is wanted; none is queued yet.
    /// - Parameters:
    ///   - device: its format must be set.
    ///   - type: which of its queues.
    ///   - format: as the driver set it.
    ///   - count: buffers that are wanted; the driver may give more or fewer.
    ///   - memory: whose memory it is.
    /// - Throws: `Failure` of kind noSource.
    public init(
        _ device: V4L2Device, _ type: V4L2BufferType, _ format: V4L2Format, count: Int, memory: V4L2Memory = .mapped
    ) throws(Failure) {
        var demand = v4l2_requestbuffers()
        (demand.count, demand.type, demand.memory) = (UInt32(count), type.rawValue, memory.code)
        do {
            try device.request(CKERNEL_VIDIOC_REQBUFS, &demand)
        } catch {
            throw V4L2Failure.using(device, "get buffers of", error)
        }
        self.device = device
        self.type = type
        self.format = format
        self.memory = memory
        self.count = Int(demand.count)
        planes = .allocate(capacity: Int(VIDEO_MAX_PLANES))
        planes.initialize(repeating: v4l2_plane(), count: Int(VIDEO_MAX_PLANES))
        guard memory != .imported else { return }
        do {
            for index in 0..<self.count { try survey(index) }
        } catch {
            throw V4L2Failure.using(device, "map buffers of", error)
        }
    }

    deinit {
        planes.deallocate()
    }

    /// The memory of a mapped buffer's piece; empty where the process does not see it.
    public func memory(_ index: Int, plane: Int) -> UnsafeMutableRawBufferPointer {
        let piece = index * format.planes.count + plane
        return piece < pieces.count ? pieces[piece].bytes : UnsafeMutableRawBufferPointer(start: nil, count: 0)
    }

    /// A buffer's pieces as other devices can read and write them (VIDIOC_EXPBUF). The queue keeps their descriptors open
    /// for as long as it lives; further calls give the same ones.
    /// - Parameter index: of a buffer of the device's own memory.
    /// - Throws: the driver's `Errno`: ENOTTY where it cannot share its memory.
    public func sharedBuffers(_ index: Int) throws(Errno) -> [SharedBuffer] {
        var list: [SharedBuffer] = []
        for plane in 0..<format.planes.count {
            let number = index * format.planes.count + plane
            guard number < pieces.count else { throw Errno(EINVAL) }
            let piece = pieces[number]
            if piece.shared == nil { piece.share(try export(index, plane: plane)) }
            if let shared = piece.shared { list.append(shared) }
        }
        return list
    }

    /// Gives a buffer to the device (VIDIOC_QBUF).
    /// - Parameters:
    ///   - index: always the same for the same memory of another device: then the driver need not look at it anew.
    ///   - buffers: the memory, for a queue of another device's memory, a piece for each of the format's planes.
    ///   - byteCounts: for a queue into the device, the bytes in use of each piece; all of a piece where it is not given.
    ///   - time: for a queue into the device, the picture's time, which is rounded down to microseconds.
    public func enqueue(
        _ index: Int, _ buffers: [SharedBuffer] = [], byteCounts: [Int] = [], time: MonotonicTime? = nil
    ) throws(Errno) {
        var buffer = description(index)
        if let time {
            buffer.timestamp = timeval(
                tv_sec: Int(time.nanoseconds / 1_000_000_000), tv_usec: Int(time.nanoseconds % 1_000_000_000 / 1000))
            buffer.field = V4L2_FIELD_NONE.rawValue
        }
        for plane in 0..<format.planes.count {
            let used = plane < byteCounts.count ? byteCounts[plane] : format.planes[plane].byteCount
            if type.isMultiplanar {
                planes[plane] = v4l2_plane()
                if type.isIntoDevice { planes[plane].bytesused = UInt32(used) }
            } else if type.isIntoDevice {
                buffer.bytesused = UInt32(used)
            }
            guard memory == .imported else { continue }
            guard plane < buffers.count else { throw Errno(EINVAL) }
            if type.isMultiplanar {
                planes[plane].m.fd = buffers[plane].descriptor
                planes[plane].length = UInt32(buffers[plane].byteCount)
            } else {
                buffer.m.fd = buffers[plane].descriptor
                buffer.length = UInt32(buffers[plane].byteCount)
            }
        }
        try device.request(CKERNEL_VIDIOC_QBUF, &buffer)
        queued += 1
    }

    /// Takes back the oldest buffer that the device is done with (VIDIOC_DQBUF), without waiting; nil when there is none.
    /// - Throws: the driver's `Errno`; EPIPE when the device was drained and its last buffer was taken.
    public func dequeue() throws(Errno) -> V4L2Buffer? {
        var buffer = description(0)
        do {
            try device.request(CKERNEL_VIDIOC_DQBUF, &buffer)
        } catch {
            if error.code == EAGAIN { return nil }
            throw error
        }
        queued -= 1
        guard type.isMultiplanar else { return V4L2Buffer(buffer, byteCount: Int(buffer.bytesused), offset: 0) }
        let offset = min(planes[0].data_offset, planes[0].bytesused)
        return V4L2Buffer(buffer, byteCount: Int(planes[0].bytesused - offset), offset: Int(offset))
    }

    /// Starts the device (VIDIOC_STREAMON).
    public func start() throws(Errno) {
        var type = Int32(type.rawValue)
        try device.request(CKERNEL_VIDIOC_STREAMON, &type)
        isStreaming = true
    }

    /// Stops the device and takes all buffers back (VIDIOC_STREAMOFF). What was not dequeued is lost.
    public func stop() throws(Errno) {
        var type = Int32(type.rawValue)
        isStreaming = false
        queued = 0
        try device.request(CKERNEL_VIDIOC_STREAMOFF, &type)
    }

    /// Stops the device as `stop` does, but on a thread of its own. All buffers count as taken back at once.
    public func beginStop() throws(Errno) -> V4L2Stop {
        isStreaming = false
        queued = 0
        return try V4L2Stop(device.raw, type)
    }

    /// Stops the device and gives the buffers back (VIDIOC_REQBUFS), so that its format and timings can be set anew; the
    /// queue and its memory must not be used any more.
    public func free() throws(Errno) {
        if isStreaming { try stop() }
        pieces.removeAll()
        try device.freeBuffers(type, memory)
    }

    /// Stops the device and gives all memory back; the queue and its memory must not be used any more. A device's maps keep
    /// it open, so this comes before it is closed.
    func dismantle() {
        // A device that fails here is being given up anyway.
        if isStreaming { try? stop() }
        pieces.removeAll()
    }

    /// A buffer's piece as a descriptor that other devices can read (VIDIOC_EXPBUF).
    private func export(_ index: Int, plane: Int) throws(Errno) -> FileDescriptor {
        var export = v4l2_exportbuffer()
        (export.type, export.index, export.plane) = (type.rawValue, UInt32(index), UInt32(plane))
        export.flags = UInt32(O_RDWR | O_CLOEXEC)
        try device.request(CKERNEL_VIDIOC_EXPBUF, &export)
        return FileDescriptor(owning: export.fd)
    }

    private func description(_ index: Int) -> v4l2_buffer {
        var buffer = v4l2_buffer()
        (buffer.type, buffer.memory, buffer.index) = (type.rawValue, memory.code, UInt32(index))
        if type.isMultiplanar {
            buffer.m.planes = planes
            buffer.length = UInt32(format.planes.count)
        }
        return buffer
    }

    /// Takes note of a buffer's pieces, and maps them where that is wanted.
    private func survey(_ index: Int) throws(Errno) {
        var buffer = description(index)
        try device.request(CKERNEL_VIDIOC_QUERYBUF, &buffer)
        for plane in 0..<format.planes.count {
            let (offset, length) =
                type.isMultiplanar
                ? (planes[plane].m.mem_offset, planes[plane].length) : (buffer.m.offset, buffer.length)
            if memory == .mapped {
                pieces.append(Piece(try device.map(offset: Int64(offset), count: Int(length))))
            } else {
                pieces.append(Piece(count: Int(length)))
            }
        }
    }
}

extension V4L2Memory {
    /// V4L2_MEMORY_….
    var code: UInt32 {
        self == .imported ? V4L2_MEMORY_DMABUF.rawValue : V4L2_MEMORY_MMAP.rawValue
    }
}
