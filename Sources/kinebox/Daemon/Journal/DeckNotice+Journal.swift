import Control
import Recorder

extension DeckNotice.Kind {
    /// Under which identifier the journal has it; nil where its text is all there is to say.
    /// - Parameter isSourceWatched: whether the deck tells of its source besides. The signal's identifier stands with that
    ///   then, so that who counts losses counts each once.
    func message(isSourceWatched: Bool) -> JournalMessage? {
        switch self {
        case .information, .warning: nil
        case .encoderChanged: .encoderChanged
        case .signalLost: isSourceWatched ? nil : .signalLost
        case .signalFound: isSourceWatched ? nil : .signalFound
        }
    }

    /// How grave it is, where no identifier says so.
    var priority: JournalEntry.Priority {
        switch self {
        case .information, .signalFound: .information
        case .warning, .encoderChanged, .signalLost: .warning
        }
    }
}
