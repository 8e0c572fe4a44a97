/// What a hand does with a button. What it means is the recorder's.
public enum PressGesture: Hashable, Sendable {
    /// The contact has closed.
    case pressed
    /// It is closed still, since so many nanoseconds: one of the grammar's holds.
    case held(Int64)
    /// It is open again.
    case released
    /// It is closed for longer than a hand would hold it, however that began: nothing more is told of it, its letting go
    /// neither, until it is pressed anew.
    case stuck
}
