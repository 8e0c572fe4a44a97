import Media

/// How a medium stands, as the state machine sees it.
public struct MediumReport: Hashable, Sendable {
    /// What can be done with it.
    public enum Condition: Hashable, Sendable, CaseIterable {
        /// It is being checked, mounted, or what a power cut left on it is being recovered.
        case preparing
        /// It takes recordings.
        case ready
        case full
        case readOnly
        /// It cannot be used: damaged, or of a kind that is refused.
        case failed
        /// It is being taken off.
        case leaving
    }

    /// What it is known by, for as long as it is there.
    public var name: String
    public var condition: Condition

    public init(name: String, condition: Condition) {
        self.name = name
        self.condition = condition
    }

    /// Why nothing can be recorded to it now; nil when it is ready or about to be.
    var refusal: Failure? {
        switch condition {
        case .preparing, .ready: nil
        case .full:
            Failure(
                .mediumFull, "cannot record to \(name)", because: "the medium is full",
                mend: "Delete files there, or take another medium.")
        case .readOnly:
            Failure(
                .mediumReadOnly, "cannot record to \(name)", because: "the medium is write protected",
                mend: "Unlock it, or take another medium.")
        case .failed:
            Failure(
                .mediumFailed, "cannot record to \(name)",
                because: "the medium is damaged or of a kind that is not used",
                mend: "Take another medium.")
        case .leaving:
            Failure(
                .busy, "cannot record to \(name)", because: "the medium is being ejected",
                mend: "Plug it in again, or take another medium.")
        }
    }
}
