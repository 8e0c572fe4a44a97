import Media
import Pixels

extension SignalState {
    /// Why nothing can be recorded, for people; nil while a signal is there.
    /// - Parameter name: what a person calls the input.
    public func failure(of name: String) -> Failure? {
        let thing = "cannot record from \(name)"
        switch self {
        case .noCable:
            return Failure(
                .noSignal, thing, because: "no cable is plugged in, or what is at its other end is off",
                mend: "Plug the cable in and turn the source on.")
        case .noSignal:
            return Failure(
                .noSignal, thing, because: "no picture comes in",
                mend: "Wake the source up, and let it show its picture on this output.")
        case .noLock:
            return Failure(
                .noSignal, thing, because: "the signal that comes in is not stable",
                mend: "Try a shorter or better cable, or a smaller picture at the source.")
        case .outOfRange:
            return Failure(
                .noSignal, thing, because: "the picture that comes in is larger or faster than the input can take",
                mend: "Set the source to a smaller picture or a lower rate.")
        case .unplugged:
            return Failure(.noSource, thing, because: "it has been unplugged", mend: "Plug it in again.")
        case .off:
            return Failure(
                .noSignal, thing, because: "it is off, or no program shows anything on it",
                mend: "Turn it on, wake it up, or start what is to be shown.")
        case .noScreen:
            return Failure(.noSignal, thing, because: "no screen is plugged in", mend: "Plug one in and turn it on.")
        case .unreadable(let cause, _):
            return Failure(
                .noSource, thing, because: cause,
                mend: "kinebox devices says which screens can be recorded, and why not.")
        case .locked(let shape):
            guard shape?.isInterlaced == true else { return nil }
            return Failure(
                .noSignal, thing, because: "its pictures are interlaced",
                mend: "Set the source to a progressive picture: 1080p in place of 1080i.")
        }
    }

    /// What a slate says, in the letters that it has.
    var slateText: String {
        switch self {
        case .noCable: "NO CABLE"
        case .noSignal, .locked(nil): "NO SIGNAL"
        case .noLock: "NO LOCK"
        case .outOfRange: "OUT OF RANGE"
        case .unplugged: "UNPLUGGED"
        case .off: "SCREEN IS OFF"
        case .noScreen: "NO SCREEN"
        case .unreadable(_, let brief):
            "SCREEN CANNOT BE READ" + (brief.flatMap(Self.legible).map { ": " + $0 } ?? "")
        case .locked(let shape?): shape.isInterlaced ? "INTERLACED" : "NO SIGNAL"
        }
    }

    /// Letters behind which a slate's would become too small to be read.
    private static let mostLetters = 28

    /// Words in the letters that slates have; nil for those that are too long, or none.
    private static func legible(_ words: String) -> String? {
        let letters = words.uppercased().filter { StrokeFont.glyph($0) != nil }
        return letters.isEmpty || letters.count > mostLetters ? nil : letters
    }
}
