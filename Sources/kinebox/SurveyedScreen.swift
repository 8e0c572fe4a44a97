import Capture
import KMS
import Media

/// A screen of the board, as `kinebox devices` lists it.
struct SurveyedScreen {
    enum State {
        case ready
        /// A display is plugged in, and nothing is sent to it.
        case off
        /// Nothing is plugged in.
        case unplugged
        /// It shows something that this user may not read; why, and what helps.
        case denied(Failure)
    }

    let connector: String
    /// The node of its card.
    let card: String
    /// How it is driven, where that is known.
    let mode: ScreenMode?
    let state: State

    /// - Parameter screen: what is seen of it without any right.
    init(_ screen: ListedScreen) {
        (connector, card) = (screen.connector, screen.card)
        switch screen.state {
        case .unplugged: (mode, state) = (nil, .unplugged)
        case .off: (mode, state) = (nil, .off)
        case .lit(let known): (mode, state) = Self.lit(screen.connector, known)
        }
    }

    private static func lit(_ connector: String, _ known: ScreenMode?) -> (ScreenMode?, State) {
        do throws(Failure) {
            return (try ScreenAccess.mode(of: connector, known: known), .ready)
        } catch {
            return (known, .denied(error))
        }
    }

    /// What `--video` takes for it.
    var argument: String { "screen:\(connector)" }

    /// The state as programs read it.
    var word: String {
        switch state {
        case .ready: "ready"
        case .off: "off"
        case .unplugged: "unplugged"
        case .denied: "denied"
        }
    }

    /// What helps where nothing can be recorded from it.
    var mend: String? {
        switch state {
        case .ready: nil
        case .off: "Wake it up, or start the program that shows something on it."
        case .unplugged:
            "Plug in a display, or force the connector on (video=\(connector):e in the kernel's command line)."
        case .denied(let failure): failure.mend
        }
    }

    /// "1920x1080 at 60 pictures a second".
    var modeWords: String? { mode.map { "\($0.width)x\($0.height) at \($0.refresh) pictures a second" } }

    /// "denied: kinebox-kms does not listen there. systemctl ..."
    var words: String {
        switch state {
        case .ready, .off, .unplugged: word
        case .denied(let failure): "denied: \(failure.cause). \(failure.mend)"
        }
    }
}
