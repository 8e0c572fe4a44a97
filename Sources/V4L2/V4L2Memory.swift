/// Whose memory the buffers of a queue are, and who sees it.
public enum V4L2Memory: Sendable {
    /// The device's, and the process sees it (V4L2_MEMORY_MMAP, mapped).
    case mapped
    /// The device's, and other devices see it (V4L2_MEMORY_MMAP, VIDIOC_EXPBUF). It is never mapped.
    case exported
    /// Another device's (V4L2_MEMORY_DMABUF).
    case imported
}
