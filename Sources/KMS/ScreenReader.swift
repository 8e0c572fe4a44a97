import Media

/// Who reads what a screen shows: a card that this process may read (`CardReader`), or the privileged program that does it
/// for one that may not (`ScreenClient`). Used by one thread.
///
/// One order is out at a time. It is answered within a vertical blank or two where the screen is lit, and at once where the
/// state is another one; then again whenever that changes, and once a second.
public protocol ScreenReader: AnyObject {
    /// Readable (level-triggered) when `next` has something.
    var descriptor: Int32 { get }

    /// Asks for a picture. An order that is out is replaced.
    /// - Throws: `Failure` of kind noSource when the reader is gone.
    func order(_ order: ScreenOrder) throws(Failure)

    /// Takes the answer, without waiting.
    /// - Parameter view: cleared, then filled.
    /// - Returns: false when there is none yet; the view is empty then.
    /// - Throws: `Failure` of kind noSource when what is shown may not be read, or the reader is gone.
    func next(_ view: ScreenView) throws(Failure) -> Bool
}
