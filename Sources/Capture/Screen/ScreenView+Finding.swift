import KMS
import Media
import Pixels

extension ScreenView {
    /// How the screen is driven; nil where it is not lit.
    var mode: ScreenMode? {
        if case .lit(let mode) = state { return mode }
        return nil
    }

    /// The plane that the picture is drawn in, or the lowest; nil for a screen that is black.
    var base: ScreenPlane? { planes.first { $0.kind == .primary } ?? planes.first }

    /// How the picture is turned: as it was asked for, else so that it is as a viewer of a turned display sees it.
    func turn(_ wish: Turn?) -> Turn { wish ?? base.map { Turn(undoing: $0.rotation) } ?? .none }

    /// What speaks against recording one of the planes.
    private var objection: Failure? { objectionable.flatMap(Composer.objection) }

    /// The first plane that cannot be recorded.
    private var objectionable: ScreenPlane? { planes.first { Composer.objection(to: $0) != nil } }

    /// Why a lit screen cannot be recorded; nil when it can.
    /// - Parameter name: what a person calls it.
    func objection(of name: String) -> Failure? {
        objection.map {
            Failure(.noSource, "cannot record from \(name)", because: "\($0.thing): \($0.cause)", mend: $0.mend)
        }
    }

    /// What there is to be seen, in the words of all inputs: `locked` for what can be recorded.
    /// - Parameter wish: how the picture is to be turned; nil as a viewer sees it.
    func finding(_ wish: Turn?) -> SignalState {
        switch state {
        case .lit(let mode):
            if let objection {
                return .unreadable(
                    "\(objection.thing): \(objection.cause)",
                    brief: objectionable.flatMap(Composer.briefObjection))
            }
            let isTurned = turn(wish).exchangesAxes
            // H.264's pictures are even, as nearly all displays are; the last column or line of others is left out.
            let (width, height) = (mode.width & ~1, mode.height & ~1)
            return .locked(
                SignalShape(
                    width: isTurned ? height : width, height: isTurned ? width : height, rate: mode.refresh,
                    isInterlaced: false))
        case .off: return .off
        case .unplugged: return .noScreen
        case .absent: return .unplugged
        }
    }
}
