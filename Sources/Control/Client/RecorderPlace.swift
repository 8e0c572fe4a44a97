/// Where a recorder is.
public enum RecorderPlace: Sendable, Equatable {
    /// On this machine, at a socket's path.
    case socket(String)
    /// On another machine, by a program that reaches it and runs `kinebox bridge` there.
    case host(RemoteHost)

    /// How a person calls it: "at /run/kinebox/io.kinebox.Recorder", "on studio".
    var words: String {
        switch self {
        case .socket(let path): "at \(path)"
        case .host(let host): "on \(host.name)"
        }
    }
}
