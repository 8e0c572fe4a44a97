import Media

/// The answer to one call, which may be given at once or later, on the server's thread. One that goes without having
/// been given tells the caller that the recorder failed, so no caller waits for ever.
public final class Answer<Reply: Encodable & Sendable> {
    private var deliver: ((Result<Reply, Refusal>) -> Void)?

    init(_ deliver: @escaping (Result<Reply, Refusal>) -> Void) {
        self.deliver = deliver
    }

    deinit {
        give(
            .failure(
                Refusal(
                    Failure(
                        .internalFault, "cannot answer", because: "the call was lost in the recorder",
                        mend: "Try again."))))
    }

    /// The call was carried out. A second answer to the same call is not sent.
    public func succeed(_ reply: Reply) {
        give(.success(reply))
    }

    /// The call was refused, or failed.
    public func refuse(_ refusal: Refusal) {
        give(.failure(refusal))
    }

    /// The call failed, with nothing more to say than the failure.
    public func refuse(_ failure: Failure) {
        give(.failure(Refusal(failure)))
    }

    private func give(_ result: Result<Reply, Refusal>) {
        let once = deliver
        deliver = nil
        once?(result)
    }
}
