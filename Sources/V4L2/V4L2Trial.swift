/// A device that is asked what it would make of formats. It is opened for the first question and closed with whoever asks, so
/// that many questions cost one opening. Used by one thread.
public final class V4L2Trial {
    private let path: String
    private let access: V4L2Device.Access
    private var opened: V4L2Device?
    private var hasTried = false

    /// - Parameters:
    ///   - path: "/dev/video11".
    ///   - access: who stands between.
    public init(_ path: String, through access: V4L2Device.Access) {
        self.path = path
        self.access = access
    }

    /// The device; nil when it cannot be opened.
    public var device: V4L2Device? {
        if !hasTried { opened = try? V4L2Device(opening: path, through: access) }
        hasTried = true
        return opened
    }
}
