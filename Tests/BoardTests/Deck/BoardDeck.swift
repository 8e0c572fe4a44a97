import Capture
import Encoding
import Glibc
import Judges
import Linux
import Media
import Recorder
import Storage
import Testing

/// A deck on the board's HDMI input, with all that it has told.
final class BoardDeck {
    let deck: Deck
    private(set) var events: [DeckEvent] = []
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
        deck = try Deck(
            DeckPlan(
                openVideo: openVideo, openAudio: sound ? [openSound] : [],
                encoding: EncodingPlan(preference: encoder, preset: .fixed(.ultrafast)), isWarm: isWarm))
    }

    deinit { deck.close() }

    @discardableResult
    func wait<Value>(_ body: (DeckEvent) -> Value?) throws -> Value {
        for event in events { if let value = body(event) { return value } }
        for _ in 0..<6000 {
            while let event = deck.nextEvent() {
                events.append(event)
                if let value = body(event) { return value }
            }
            var entry = pollfd(fd: deck.descriptor, events: Int16(POLLIN), revents: 0)
            _ = poll(&entry, 1, 10)
        }
        throw Missing(events: events)
    }

    struct Missing: Error { var events: [DeckEvent] }

    /// Waits until pictures come in.
    func present() throws {
        try wait { if case .source(.present) = $0 { true } else { nil } }
    }

    /// Forgets what was told.
    func forget() {
        while deck.nextEvent() != nil {}
        events.removeAll()
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

    func ended(_ number: Int) throws -> TakeResult {
        try wait { if case .take(number, .ended(let result)) = $0 { result } else { nil } }
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
            while let event = deck.nextEvent() {
                events.append(event)
                if case .take(_, .ended(let result)) = event { throw Ended(result: result) }
            }
            usleep(5000)
        }
        try #require((deck.status.recording?.encodedFrames ?? 0) >= count)
    }

    struct Ended: Error { var result: TakeResult }
}
