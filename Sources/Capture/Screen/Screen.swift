import KMS
import Linux
import Media
import Pixels
import V4L2

/// Pictures of the board's own screen, as its display engine shows them. Used by one thread.
///
/// They come with the display's own vertical blanks and their times, and only when something has changed; of a screen that
/// stays as it is one a second comes, and one when somebody wants it. What a device can read as it lies in the framebuffer
/// is handed on so; all else is put together into memory of ours. A screen that is switched off, unplugged, or cannot be
/// read is a lost signal: slates, five a second, come until it is back.
public final class Screen: DeviceVideoSource {
    public private(set) var name: String
    public private(set) var path: String
    public let pace = Pace.live
    public let givesOnlyChanges = true
    public internal(set) var signal: SignalState
    public internal(set) var format: VideoFormat
    public internal(set) var lostFrames: UInt64 = 0
    public internal(set) var unfencedFrames: UInt64 = 0
    public internal(set) var nearestFrames: UInt64 = 0

    /// Makes who reads the screen; it is made anew when it fails.
    public typealias Reader = () throws(Failure) -> any ScreenReader

    let makeReader: Reader
    /// At least one a second: a screen that stands still gives as many.
    let wantedRate: FrameRate?
    /// How the picture is turned; nil as a viewer of the display sees it.
    let wantedTurn: Turn?
    let drawsSlate: Bool
    /// Nil while it is gone.
    var reader: (any ScreenReader)?
    /// What was told last.
    var view = ScreenView()
    /// What is being told: a question that finds no answer yet must not take away what was told last.
    var coming = ScreenView()
    let memory = ScreenMemory()
    var pictures: CaptureGate
    var changing: CaptureGate
    /// How the screen was driven when its shape was taken over.
    var mode: ScreenMode
    /// How pictures may lie in memory, the best first.
    var layouts: [V4L2Format]
    /// How they are to lie there.
    var setting: V4L2Format
    /// Nil before memory was prepared.
    var frames: ScreenFrames?
    var painter: ScreenPainter?
    var phase = Phase.ready
    var changes: [SourceChange] = []

    // MARK: Life

    /// What was found last, whether or not it counts.
    var finding: SignalState
    var debounce = SignalDebounce()
    /// Since when something else was found than what is taken for the signal.
    var strangeSince: MonotonicTime?
    /// The last moment at which there may have been pictures.
    var lostAt = MonotonicTime(nanoseconds: 0)
    /// What could not be taken over.
    var refused: SignalState?
    /// When the present reader was made.
    var readerMadeAt = MonotonicTime.now
    /// When a reader that is gone is made anew.
    var retryTime = MonotonicTime(nanoseconds: 0)

    // MARK: Pictures

    var pacing: ScreenPace
    /// The blank of the last view; nil before the first.
    var lastSequence: UInt64?
    /// When that blank was.
    var lastBlankTime = MonotonicTime(nanoseconds: 0)
    /// When the last picture or slate was.
    var lastTime = MonotonicTime(nanoseconds: 0)
    var number: UInt64 = 0
    /// What stands for the view that is known; 0 for none.
    var known: UInt64 = 0
    /// Whether a picture is wanted although nothing changes.
    var isWanted = true
    /// Whether the order that is out is for a blank that is too far for whoever wants a picture at once.
    var isOrderFar = false
    var inPlace = PlaneWatch()
    /// Until when a picture waits for whoever draws it; nil while none does.
    var fenceLimit: MonotonicTime?

    enum Phase {
        /// Not started yet, or to be set up anew.
        case ready
        case live
        case lost
        /// Another shape is shown, which was not taken over yet.
        case reshaped
        case stopped
    }

    /// Nanoseconds from one slate to the next.
    static let slateInterval: Int64 = 200_000_000
    /// Nanoseconds from one picture to the next of a screen that stays as it is.
    static let stillInterval: Int64 = 1_000_000_000
    /// Nanoseconds that a picture waits for whoever draws it.
    static let fencePatience: Int64 = 500_000_000
    /// Nanoseconds after which a reader that does not answer is taken for gone: it answers each blank that is wanted.
    static let readerPatience: Int64 = 2_000_000_000
    /// Nanoseconds until a reader that is gone is made anew.
    static let retryInterval: Int64 = 100_000_000

    /// Looks at a screen; no picture is taken before `start`.
    /// - Parameters:
    ///   - connector: its name for people, "HDMI-A-1"; nil for the one that is lit.
    ///   - reader: makes who reads it.
    ///   - rate: pictures a second, below the display's; nil for the display's own. Less than one counts as one.
    ///   - turn: how the picture is turned; nil so that it is as a viewer of a display sees it that is mounted on its side.
    ///   - drawsSlate: whether frames that say so come while there is nothing to be seen.
    /// - Throws: `Failure` of kind noSignal for a screen that is off or not plugged in; of kind noSource for one that there
    ///   is not, or that cannot be read.
    public init(
        reading connector: String? = nil, reader makeReader: @escaping Reader, rate: FrameRate? = nil,
        turn: Turn? = nil, drawsSlate: Bool = true
    ) throws(Failure) {
        let called = Self.name(connector)
        do {
            pictures = try CaptureGate()
            changing = try CaptureGate()
        } catch {
            throw Failure(.internalFault, "cannot wait for \(called)", because: "\(error)")
        }
        let reader = try makeReader()
        let mode = try Self.awaitMode(reader, view, called)
        do {
            try memory.take(view)
        } catch {
            throw Failure(
                .noSource, "cannot record from \(called)", because: "what it shows cannot be shared: \(error)")
        }
        if let failure = view.objection(of: called) { throw failure }
        finding = view.finding(turn)
        (name, path) = (Self.name(mode.connector), Self.path(mode.connector))
        (self.makeReader, self.reader, self.drawsSlate) = (makeReader, reader, drawsSlate)
        let rate = rate.map { $0.perSecond < 1 ? FrameRate(1) ?? $0 : $0 }
        (wantedRate, wantedTurn, self.mode) = (rate, turn, mode)
        signal = finding
        pacing = ScreenPace(refresh: mode.refresh, rate: rate)
        layouts = Self.layouts(of: view, memory, turn)
        setting = layouts[0]
        format = Self.format(of: setting, mode, rate)
    }

    public var descriptor: Int32 { pictures.descriptor }
    public var signalDescriptor: Int32 { changing.descriptor }
    /// Whether there is memory in which pictures can be put together for devices.
    public var isReadableByDevices: Bool { DeviceMemory.isAvailable }

    public var isFinished: Bool {
        if case .stopped = phase { return true }
        return false
    }

    public func requestPicture() {
        isWanted = true
        // One that waits for its drawing is the one that is wanted.
        guard case .live = phase, isOrderFar, fenceLimit == nil else { return }
        order(atOnce: true)
    }

    public func nextChange() -> SourceChange? {
        changes.isEmpty ? nil : changes.removeFirst()
    }

    public func release(_ frame: VideoFrame) {
        // A frame of memory that is gone goes with its reader.
        frames?.release(frame)
        // What is not shown any more is not kept either.
        if case .lost = phase { frames?.forget() }
    }

    public func stop() {
        phase = .stopped
        try? pictures.shut()
        try? changing.shut()
        pictures.silence()
        changing.silence()
    }

    /// Takes over which display is shown.
    func take(_ mode: ScreenMode) {
        self.mode = mode
        (name, path) = (Self.name(mode.connector), Self.path(mode.connector))
    }

    private static func path(_ connector: String) -> String { "screen:\(connector)" }
    static func name(_ connector: String?) -> String { connector.map { "screen \($0)" } ?? "the screen" }
}
