import Capture
import Encoding
import Glibc
import Judges
import Linux
import Media
import Storage
import Testing
import ToldDeck

@testable import Recorder

/// A deck that recordings are made on in a folder.
final class DeckRun: ToldDeck {
    private let folder: TemporaryFolder

    init(_ plan: DeckPlan, _ folder: TemporaryFolder) throws {
        self.folder = folder
        try super.init(plan, patience: 3000)
    }

    /// Begins a take and waits until something of it is safe.
    func start(
        _ number: Int, _ file: String, duration: Int64? = nil, splits: SplitLimits = SplitLimits(),
        metadata: RecordingMetadata = RecordingMetadata()
    ) throws -> MonotonicTime {
        let press = MonotonicTime.now
        deck.start(
            TakePlan(
                number: number, name: try folder.name(file), duration: duration, splits: splits, metadata: metadata),
            medium: "stick", at: press)
        return press
    }

    /// What a person was told until now.
    var notices: [DeckNotice] {
        events.compactMap { if case .notice(let notice) = $0 { notice } else { nil } }
    }

    func durable(_ number: Int) throws -> Clip {
        try wait { if case .take(number, .durable(let clip)) = $0 { clip } else { nil } }
    }

    func still(_ number: Int) throws -> StillResult {
        try wait { if case .still(number, let result) = $0 { result } else { nil } }
    }

    /// Goes on until so many pictures of the take are encoded.
    func encoded(_ count: Int64) throws {
        for _ in 0..<30_000 where (deck.status.recording?.encodedFrames ?? 0) < count { usleep(1000) }
        try #require((deck.status.recording?.encodedFrames ?? 0) >= count)
    }

    /// Goes on until the recording has got so long.
    func reach(_ nanoseconds: Int64) throws {
        for _ in 0..<30_000 where (deck.status.recording?.nanoseconds ?? 0) < nanoseconds { usleep(1000) }
        try #require((deck.status.recording?.nanoseconds ?? 0) >= nanoseconds)
    }
}

extension DeckPlan {
    /// A test picture with its tone, encoded in software.
    static func pattern(
        isWarm: Bool = true, tracks: Int = 1, encoding: EncodingPlan? = nil,
        openVideo: (@Sendable () throws(Failure) -> any VideoSource)? = nil
    ) -> DeckPlan {
        let tone: @Sendable () throws(Failure) -> any AudioSource = { () throws(Failure) in TestTone(rate: .thirty) }
        let pattern: @Sendable () throws(Failure) -> any VideoSource = { () throws(Failure) in
            try TestPattern(width: 320, height: 240, rate: .thirty)
        }
        return DeckPlan(
            openVideo: openVideo ?? pattern, openAudio: Array(repeating: tone, count: tracks),
            encoding: encoding
                ?? EncodingPlan(preference: .software, bitrate: 500_000, preset: .fixed(.ultrafast), threads: 1),
            isWarm: isWarm)
    }
}
