import CKernel
import CV4L
import Glibc
import Linux

/// The one owner of an open video device, spoken to directly or through libv4l2.
struct V4L2Handle: ~Copyable {
    /// The descriptor, for waiting; -1 once it was closed, so that every request fails with EBADF.
    private(set) var raw: Int32
    private let isOfLibrary: Bool

    /// Opens a device for reading and writing, without blocking.
    /// - Parameter isByLibrary: whether libv4l2 and its plugins stand between; where the library does not take the device,
    ///   the kernel does.
    init(opening path: String, byLibrary isByLibrary: Bool) throws(Errno) {
        let raw = ckernel_open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC, 0)
        guard raw >= 0 else { throw Errno.last }
        self.raw = raw
        isOfLibrary = isByLibrary && Self.mayBeTaken(raw) && kinebox_v4l_take(raw) >= 0
    }

    /// Whether libv4l2 may be given a descriptor: of something else than a device it complains on standard error. Plugins
    /// have ordinary files for names of their devices.
    private static func mayBeTaken(_ raw: Int32) -> Bool {
        var answer = v4l2_capability()
        if ckernel_ioctl(raw, CKERNEL_VIDIOC_QUERYCAP, &answer) == 0 { return true }
        var status = stat()
        return fstat(raw, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    deinit { Self.close(raw, isOfLibrary) }

    /// Closes the device before its owner goes.
    mutating func close() {
        Self.close(raw, isOfLibrary)
        raw = -1
    }

    private static func close(_ raw: Int32, _ isOfLibrary: Bool) {
        guard raw >= 0 else { return }
        if isOfLibrary { v4l2_close(raw) } else { Glibc.close(raw) }
    }

    /// A request, again when a signal interrupts it: negative with `errno` when it fails.
    func request(_ number: UInt, _ argument: UnsafeMutableRawPointer?) -> Int32 {
        isOfLibrary ? kinebox_v4l_ioctl(raw, number, argument) : ckernel_ioctl(raw, number, argument)
    }

    /// Maps a buffer for reading and writing.
    func map(offset: Int64, count: Int) throws(Errno) -> V4L2Map {
        try V4L2Map(raw, offset: offset, count: count, byLibrary: isOfLibrary)
    }
}
