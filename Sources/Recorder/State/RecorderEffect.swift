import Linux
import Media

/// What follows from a transition: the only things that the recorder does.
public enum RecorderEffect: Hashable, Sendable {
    /// Begins a recording.
    case start(Take)
    case pause(take: Int)
    case resume(take: Int)
    case split(take: Int)
    case mark(take: Int, label: String, at: MonotonicTime)
    case extend(take: Int, nanoseconds: Int64)
    /// Ends a recording with the last picture before now; its result comes later.
    case stop(take: Int)
    /// Waits no longer for a recording that was asked to end: what it still does goes on without anybody looking.
    case abandon(take: Int)
    /// What a recording has become: for the journal and those who follow.
    case conclude(TakeResult)
    /// Something was refused or failed that is told in no recording's result: for the journal.
    case report(Failure)
    /// Saves the newest picture on a medium.
    case snapshot(medium: String)
    /// Takes a medium off.
    case eject(medium: String)
    /// Lets the box show which one it is.
    case identify
    /// Keeps what was asked for, so that it may go on after a power cut.
    case remember(StartRequest)
    /// Nothing is to go on after a power cut.
    case forget
    /// Sets a timer, in nanoseconds from now.
    case set(RecorderTimer, Int64)
    case cancel(RecorderTimer)
    /// The daemon may end.
    case exit
}
