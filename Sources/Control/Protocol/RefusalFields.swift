import Media

/// An error's fields as they come over the socket; those that are strange are passed over, since a newer service may
/// have changed them and the error is told all the same.
struct RefusalFields: Decodable {
    private var thing: String?
    private var cause: String?
    private var mend: String?
    private var clip: RecorderAPI.Clip?
    private var medium: String?
    private var freeBytes: Int64?
    private var unsaved: Int64?
    private var signal: RecorderAPI.Signal?
    private var state: RecorderAPI.State?
    private var name: String?
    private var user: Int?
    private var groups: [String]?
    private var interface: String?
    private var method: String?
    private var parameter: String?

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: AnyName.self)
        func read<Value: Decodable>(_ name: String) -> Value? {
            try? fields.decodeIfPresent(Value.self, forKey: AnyName(name))
        }
        thing = read("thing")
        cause = read("cause")
        mend = read("mend")
        clip = read("clip")
        medium = read("medium")
        freeBytes = read("free_bytes")
        unsaved = read("unsaved_ns")
        signal = read("signal")
        state = read("state")
        name = read("name")
        user = read("user")
        groups = read("groups")
        interface = read("interface")
        method = read("method")
        parameter = read("parameter")
    }

    /// The error of a name.
    /// - Parameters:
    ///   - error: the error's name with the interface's.
    ///   - method: what was called, with the interface's name.
    func refusal(_ error: String, of method: String) -> Refusal {
        let own = "\(InterfaceDescription.recorder)."
        guard error.hasPrefix(own), let kind = FailureKind(rawValue: String(error.dropFirst(own.count))) else {
            return Refusal(failure(error, of: method))
        }
        var refusal = Refusal(
            Failure(kind, thing ?? "cannot do what was asked for", because: cause ?? error, mend: mend ?? ""))
        refusal.clip = clip
        refusal.medium = medium
        refusal.freeBytes = freeBytes
        refusal.unsaved = unsaved
        refusal.signal = signal
        refusal.state = state
        refusal.name = name
        refusal.user = user
        refusal.groups = groups
        return refusal
    }

    /// What an error of `org.varlink.service`, or one that nobody knows, means to a person.
    private func failure(_ error: String, of called: String) -> Failure {
        let thing = "cannot call \(called)"
        let older = "It may be older or newer than this program: bring both to the same version."
        switch error.split(separator: ".").last {
        case "InvalidParameter":
            return Failure(
                .invalidValue, thing, because: "the recorder does not take \(parameter ?? "a parameter") so",
                mend: older)
        case "MethodNotFound", "MethodNotImplemented", "InterfaceNotFound":
            return Failure(
                .internalFault, thing, because: "the recorder has no \(method ?? interface ?? called)", mend: older)
        case "PermissionDenied": return Failure(.notAuthorised, thing, because: "this user may not")
        default:
            return Failure(.internalFault, thing, because: "the recorder answers with \(error)", mend: older)
        }
    }
}
