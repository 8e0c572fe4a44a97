import Media

/// What a deck tells.
public enum DeckEvent: Hashable, Sendable {
    /// The source of the picture has changed: told whenever it does. Where sources stay open the first one comes soon after
    /// the deck was made; where they do not, it is `unknown` between recordings and nothing is told of it.
    case source(SourceCondition)
    /// How the recording with a number goes. `ended` is the last word of each one that was started.
    case take(Int, TakeEvent)
    /// Something a person should look at while all is being saved has begun or is over. At the end of a recording all
    /// warnings are over.
    case warning(RecorderWarning, isOn: Bool)
    /// The still that was asked for with a number.
    case still(Int, StillResult)
    /// What a person should know of the course of things: the encoder and changes of its effort, lost sound.
    case notice(DeckNotice)
}

/// What became of a still before it is on a medium.
public enum StillResult: Hashable, Sendable {
    /// The bytes of a JPEG file.
    case taken([UInt8])
    /// There was no picture, or it could not be encoded.
    case failed(Failure)
}
