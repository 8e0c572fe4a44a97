import Capture
import Encoding
import Glibc
import Judges
import Linux
import Media
import Recorder
import Storage
import Testing
import ToldDeck

/// A deck on the board's HDMI input, with all that it has told.
final class BoardDeck: ToldDeck {
    private let folder: TemporaryFolder

    init(
        _ encoder: EncoderPreference, layout: PixelFormat? = .nv12, sound: Bool = false, isWarm: Bool = true,
        _ folder: TemporaryFolder
    ) throws {
        self.folder = folder
        let openVideo: @Sendable () throws(Failure) -> any VideoSource = { () throws(Failure) in
            try ConvertedSource(try HDMIInput(opening: "/dev/board/hdmi", layout: layout))
        }
        let openSound: @Sendable () throws(Failure) -> any AudioSource = { () throws(Failure) in
            try ALSAInput(opening: "hw:Loopback,1,0")
        }
        try super.init(
            DeckPlan(
                openVideo: openVideo, openAudio: sound ? [openSound] : [],
                encoding: EncodingPlan(preference: encoder, preset: .fixed(.ultrafast)), isWarm: isWarm),
            patience: 6000)
    }

    /// Begins a recording.
    /// - Parameter other: another folder than the deck's.
    /// - Returns: the moment of the press.
    func start(_ number: Int, in other: TemporaryFolder? = nil) throws -> MonotonicTime {
        let path = (other ?? folder).file("take\(number).mp4")
        let name = try RecordingName(for: path, at: 0, isSynchronised: true)
        let press = MonotonicTime.now
        deck.start(TakePlan(number: number, name: name), medium: "stick", at: press)
        return press
    }

    /// Records so many pictures.
    /// - Returns: the moment of the press, and what has become of it.
    func take(_ number: Int, pictures: Int64, _ body: () throws -> Void = {}) throws -> (
        press: MonotonicTime, result: TakeResult
    ) {
        let press = try start(number)
        try encoded(pictures)
        try body()
        deck.stop(take: number)
        return (press, try ended(number))
    }

    /// Goes on until so many pictures of the take are encoded.
    func encoded(_ count: Int64) throws {
        for _ in 0..<6000 where (deck.status.recording?.encodedFrames ?? 0) < count {
            while let event = next() {
                if case .take(_, .ended(let result)) = event { throw Ended(result: result) }
            }
            usleep(5000)
        }
        try #require((deck.status.recording?.encodedFrames ?? 0) >= count)
    }

    struct Ended: Error { var result: TakeResult }
}
