import Media

/// What stands behind the socket: the daemon. All calls come on the server's thread, with the caller's right to them
/// and the form of their parameters checked, and none may wait; answers may be given later.
public protocol RecorderService: AnyObject {
    /// How the recorder stands now.
    var status: RecorderAPI.Status { get }
    /// All media that are attached, the preferred one first.
    var media: [RecorderAPI.Medium] { get }

    /// Starts a recording; to be answered once its first fragment is on the medium, or once it waits for something.
    func start(_ parameters: RecorderAPI.Start.Parameters, by caller: Caller, _ answer: Answer<RecorderAPI.Start.Reply>)
    /// Ends the recording; to be answered once its file is whole.
    func stop(by caller: Caller, _ answer: Answer<RecorderAPI.Stop.Reply>)
    func pause(by caller: Caller, _ answer: Answer<RecorderAPI.Nothing>)
    func resume(by caller: Caller, _ answer: Answer<RecorderAPI.Nothing>)
    func split(by caller: Caller, _ answer: Answer<RecorderAPI.Nothing>)
    /// Begins a chapter at the picture that was captured at the caller's time.
    func mark(_ parameters: RecorderAPI.Mark.Parameters, by caller: Caller, _ answer: Answer<RecorderAPI.Mark.Reply>)
    func snapshot(by caller: Caller, _ answer: Answer<RecorderAPI.Snapshot.Reply>)
    func extend(
        _ parameters: RecorderAPI.Extend.Parameters, by caller: Caller, _ answer: Answer<RecorderAPI.Extend.Reply>)
    func setMetadata(_ metadata: RecorderAPI.Metadata, by caller: Caller, _ answer: Answer<RecorderAPI.Nothing>)
    /// Lists clips; the parameters' limit is set, from 1 to `RecorderAPI.ListClips.mostClips`.
    func listClips(
        _ parameters: RecorderAPI.ListClips.Parameters, by caller: Caller, _ answer: Answer<RecorderAPI.ListClips.Reply>
    )
    func listDevices(by caller: Caller, _ answer: Answer<RecorderAPI.ListDevices.Reply>)
    /// Takes a medium off; to be answered once it can be pulled.
    func eject(_ parameters: RecorderAPI.Eject.Parameters, by caller: Caller, _ answer: Answer<RecorderAPI.Eject.Reply>)
    func identify(by caller: Caller, _ answer: Answer<RecorderAPI.Nothing>)

    /// A client was turned away, and told so: it may not do what it wanted, or there are too many.
    func turnedAway(_ failure: Failure)
}
