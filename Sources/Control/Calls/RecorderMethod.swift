/// The methods of `io.kinebox.Recorder`, by their names.
public enum RecorderMethod: String, Sendable, CaseIterable {
    case getStatus = "GetStatus"
    case start = "Start"
    case stop = "Stop"
    case pause = "Pause"
    case resume = "Resume"
    case split = "Split"
    case mark = "Mark"
    case snapshot = "Snapshot"
    case extend = "Extend"
    case setMetadata = "SetMetadata"
    case listClips = "ListClips"
    case listMedia = "ListMedia"
    case listDevices = "ListDevices"
    case eject = "Eject"
    case identify = "Identify"
    case subscribe = "Subscribe"

    /// The name with the interface's.
    public var qualifiedName: String { "\(InterfaceDescription.recorder).\(rawValue)" }

    /// What a caller must be allowed to do.
    public var needed: Access.Rights {
        switch self {
        case .getStatus, .listClips, .listMedia, .listDevices, .subscribe: .look
        case .start, .stop, .pause, .resume, .split, .mark, .snapshot, .extend, .setMetadata, .eject, .identify: .record
        }
    }

    /// The milliseconds after which no answer means that the recorder hangs; nil for what takes as long as a file takes
    /// to be begun, finished or listed, which the recorder limits itself.
    var patience: Int32? {
        switch self {
        case .start, .stop, .eject, .listClips, .listDevices, .subscribe: nil
        case .getStatus, .listMedia, .pause, .resume, .split, .mark, .snapshot, .extend, .setMetadata, .identify: 30_000
        }
    }
}
