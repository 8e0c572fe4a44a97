import CKernel
import Glibc
import Linux
import Media

/// A queue of buffers that travel between a program and a device (VIDIOC_REQBUFS, QBUF, DQBUF): the device's own memory,
/// mapped. Used by one thread. The memory stays valid for as long as the queue lives, whatever the device does.
public final class V4L2Queue {
    /// Which of the device's queues it is.
    public let type: V4L2BufferType
    /// The format that its buffers have.
    public let format: V4L2Format
    /// The number of buffers.
    public let count: Int
    /// Buffers that the device has.
    public private(set) var queued = 0
    public private(set) var isStreaming = false
    private let device: V4L2Device
    private var maps: [Map] = []
    /// Where the kernel reads and writes planes in the multi-planar interface.
    private let planes: UnsafeMutablePointer<v4l2_plane>

    /// Holds a map that cannot be copied in an array.
    private final class Map {
        let map: MemoryMap
        init(_ map: consuming MemoryMap) { self.map = map }
    }

    /// Asks for buffers and maps them; none is queued yet.
    /// - Parameters:
    ///   - device: its format must be set.
    ///   - count: buffers that are wanted; the driver may give more or fewer.
    /// - Throws: `Failure` of kind noSource.
    public init(_ device: V4L2Device, _ type: V4L2BufferType, _ format: V4L2Format, count: Int) throws(Failure) {
        var demand = v4l2_requestbuffers()
        (demand.count, demand.type, demand.memory) = (UInt32(count), type.rawValue, V4L2_MEMORY_MMAP.rawValue)
        do {
            try device.request(CKERNEL_VIDIOC_REQBUFS, &demand)
        } catch {
            throw V4L2Failure.using(device, "get buffers of", error)
        }
        self.device = device
        self.type = type
        self.format = format
        self.count = Int(demand.count)
        planes = .allocate(capacity: Int(VIDEO_MAX_PLANES))
        planes.initialize(repeating: v4l2_plane(), count: Int(VIDEO_MAX_PLANES))
        do {
            for index in 0..<self.count { try map(index) }
        } catch {
            throw V4L2Failure.using(device, "map buffers of", error)
        }
    }

    deinit {
        planes.deallocate()
    }

    /// The memory of a buffer's piece.
    public func memory(_ index: Int, plane: Int) -> UnsafeMutableRawBufferPointer {
        maps[index * format.planes.count + plane].map.bytes
    }

    /// Gives a buffer to the device (VIDIOC_QBUF).
    public func enqueue(_ index: Int) throws(Errno) {
        var buffer = description(index)
        try device.request(CKERNEL_VIDIOC_QBUF, &buffer)
        queued += 1
    }

    /// Takes back the oldest buffer that the device is done with (VIDIOC_DQBUF), without waiting; nil when there is none.
    public func dequeue() throws(Errno) -> V4L2Buffer? {
        var buffer = description(0)
        do {
            try device.request(CKERNEL_VIDIOC_DQBUF, &buffer)
        } catch {
            if error.code == EAGAIN { return nil }
            throw error
        }
        queued -= 1
        return V4L2Buffer(
            buffer,
            byteCount: type.isMultiplanar ? Int(planes[0].bytesused - planes[0].data_offset) : Int(buffer.bytesused),
            offset: type.isMultiplanar ? Int(planes[0].data_offset) : 0)
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

    /// A buffer's piece as a descriptor that other devices can read (VIDIOC_EXPBUF).
    public func export(_ index: Int, plane: Int) throws(Errno) -> FileDescriptor {
        var export = v4l2_exportbuffer()
        (export.type, export.index, export.plane) = (type.rawValue, UInt32(index), UInt32(plane))
        export.flags = UInt32(O_RDWR | O_CLOEXEC)
        try device.request(CKERNEL_VIDIOC_EXPBUF, &export)
        return FileDescriptor(owning: export.fd)
    }

    private func description(_ index: Int) -> v4l2_buffer {
        var buffer = v4l2_buffer()
        (buffer.type, buffer.memory, buffer.index) = (type.rawValue, V4L2_MEMORY_MMAP.rawValue, UInt32(index))
        if type.isMultiplanar {
            buffer.m.planes = planes
            buffer.length = UInt32(format.planes.count)
        }
        return buffer
    }

    private func map(_ index: Int) throws(Errno) {
        var buffer = description(index)
        try device.request(CKERNEL_VIDIOC_QUERYBUF, &buffer)
        for plane in 0..<format.planes.count {
            let (offset, length) =
                type.isMultiplanar
                ? (planes[plane].m.mem_offset, planes[plane].length) : (buffer.m.offset, buffer.length)
            maps.append(Map(try MemoryMap(device.raw, offset: Int64(offset), count: Int(length))))
        }
    }
}

/// A buffer that a device is done with.
public struct V4L2Buffer: Sendable {
    /// Its number in the queue.
    public let index: Int
    /// The picture's number at the driver; 32 bits that start again at 0.
    public let sequence: UInt32
    /// When the picture was captured, rounded down to microseconds by the interface.
    public let time: MonotonicTime
    /// Whether `time` is of CLOCK_MONOTONIC.
    public let isMonotonic: Bool
    /// Whether the driver says that the picture is damaged (V4L2_BUF_FLAG_ERROR).
    public let isDamaged: Bool
    /// Bytes of the first piece that the picture takes.
    public let byteCount: Int
    /// Bytes in front of the picture in the first piece.
    public let offset: Int

    init(_ raw: v4l2_buffer, byteCount: Int, offset: Int) {
        index = Int(raw.index)
        sequence = raw.sequence
        time = MonotonicTime(
            nanoseconds: Int64(raw.timestamp.tv_sec) * 1_000_000_000 + Int64(raw.timestamp.tv_usec) * 1000)
        isMonotonic = raw.flags & UInt32(V4L2_BUF_FLAG_TIMESTAMP_MASK) == UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC)
        isDamaged = raw.flags & UInt32(V4L2_BUF_FLAG_ERROR) != 0
        self.byteCount = byteCount
        self.offset = offset
    }
}
