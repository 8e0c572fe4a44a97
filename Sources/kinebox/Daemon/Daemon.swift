import Control
import Glibc
import Linux
import Media
import Panel
import Recorder
import Storage

/// The recorder as a service: one thread with one event loop. All that happens becomes an input of the state machine; all
/// that is done is an effect of it. It never waits for a device or a medium.
final class Daemon {
    /// What the loop waits for.
    enum Token {
        static let signals: UInt64 = 0
        static let timer: UInt64 = 1
        static let server: UInt64 = 2
        static let errands: UInt64 = 3
        static let deck: UInt64 = 4
        static let media: UInt64 = 5
        static let buttons: UInt64 = 6
        static let lights: UInt64 = 7
    }

    /// What alarms are for.
    enum Alarm: Hashable {
        case recorder(RecorderTimer)
        /// Sound levels are told to those who follow.
        case levels
        /// A recording is looked at: what is unsaved, what room is left.
        case look
        /// The service manager is told that all is well.
        case watchdog
        /// A source that was not there is looked for again.
        case source
        /// A still has not come.
        case still
    }

    let epoll: Epoll
    var timers: TimerQueue<Alarm>
    let errands: Errands
    let signals: SignalDescriptor
    var journal: Journal
    var supervisor: Supervisor
    let configurationPath: String?
    var configuration: DaemonConfiguration
    var state: RecorderState
    /// When what is being dealt with happened: the edge of a button, the reading of a call.
    var moment = MonotonicTime.now
    /// Inputs that came about while another one was dealt with.
    var inputs: [(RecorderInput, MonotonicTime)] = []
    var isTaking = false
    var isOver = false
    /// Whether it is to end as soon as nothing is recorded, and nothing is waited for.
    var isToBeReplaced = false

    // The panel.
    var buttons: Buttons?
    var lights: Lights?
    var shownLight: LightSignal?
    var shownMedium: MediumSignal?
    var lightTrouble: Failure?

    // The source.
    var deck: Deck?
    /// Where the deck's sources are: another choice of the same places needs no other deck.
    var sourcePlaces: [String] = []
    /// Whether a test picture stands in for a device that was not there.
    var isStandIn = false
    /// The deck before, while it lets go of its sources.
    var leavingDeck: Deck?
    /// A recording that begins as soon as the sources are chosen.
    var waitingTake: Take?
    var isChoosingSource = false
    /// Whether the deck is to be made anew as soon as nothing is recorded.
    var isDeckStale = false
    /// When the deck was last found to go round.
    var deckTurn = MonotonicTime.now

    // Media.
    let bay: MediaBay
    /// What was last told of each medium.
    var toldMedia: [String: Medium.State] = [:]

    // Recordings.
    var takes: [Int: RunningTake] = [:]
    var still: (number: Int, medium: String)?
    var stillCount = 0
    /// Bytes a second of the last recording, by which room is reckoned.
    var byteRate: Int64?
    let interrupted = InterruptedRecording()
    var memory = MemoryOfIntent()

    // Clients.
    let server: RecorderServer
    var replies: [RequestNumber: (RecorderReply) -> Void] = [:]
    var requestCount = 0
    /// What clients alone were told last, and when: once for each kind.
    var toldRefusals: [FailureKind: (failure: Failure, time: MonotonicTime)] = [:]
    var levels: (peaks: [Int], time: MonotonicTime) = ([], MonotonicTime(nanoseconds: 0))

    /// - Parameter path: the configuration file; nil for the usual one.
    /// - Throws: `Failure` where the configuration is wrong, the socket cannot be made, or the system has no descriptor
    ///   left. A missing button, light, source or medium is none: all may come later.
    init(configurationPath path: String?) throws(Failure) {
        configurationPath = path
        configuration = try DaemonConfiguration(reading: path)
        state = RecorderState(configuration.policy)
        journal = Journal(for: "kineboxd")
        supervisor = Supervisor()
        do throws(Errno) {
            // Before any thread starts, so that signals come to the loop alone.
            signals = try SignalDescriptor([SIGTERM, SIGINT, SIGHUP, SIGUSR1])
            epoll = try Epoll()
            timers = try TimerQueue()
            errands = try Errands()
            try epoll.add(signals.raw, for: .readable, token: Token.signals)
            try epoll.add(timers.raw, for: .readable, token: Token.timer)
            try epoll.add(errands.raw, for: .readable, token: Token.errands)
        } catch {
            throw Failure(
                .internalFault, "cannot start the recorder", because: "\(error)", mend: "End other programs first.")
        }
        // The lights' guard keeps a copy of the program as it is now: the sooner, the smaller.
        let lights = try Lights(configuration.panel.lights)
        bay = try MediaBay(order: configuration.media.order, leastRoom: configuration.media.leastRoom)
        server = try RecorderServer(
            nil, access: configuration.control.access(), identity: ServerIdentity(version: Help.version, url: ""))
        self.lights = lights
        server.serve(self)
        try add(bay.descriptor, Token.media)
        try watchPanel()
        try listen()
    }

    /// Serves until it is told to end.
    /// - Throws: `Failure` when the event loop itself fails.
    func run() throws(Failure) {
        begin()
        while !isOver {
            var ready: [UInt64] = []
            do throws(Errno) {
                try epoll.wait(milliseconds: nil) { token, _ in ready.append(token) }
            } catch {
                throw Failure(.internalFault, "cannot wait for events", because: "\(error)")
            }
            for token in ready { handle(token) }
        }
        end()
    }

    private func begin() {
        supervisor.ready(status: statusLine)
        write(JournalEntry(.recorderReady, "The recorder is ready: \(statusLine)."))
        processMedia()
        chooseSource()
        feedWatchdog()
        let request = interrupted.read()
        if request != nil, state.policy.goesOnAfterPowerCut {
            write(
                JournalEntry(
                    .recordingContinued, "A recording that was cut off goes on as soon as everything it needs is there."
                ))
        }
        take(.launched(interrupted: request))
        showLights()
    }

    private func end() {
        write(JournalEntry(.recorderEnding, "The recorder ends."))
        // Before the deck: a device that does not let go must not leave a light that nobody stands for.
        lights?.close()
        deck?.close()
    }

    private func handle(_ token: UInt64) {
        switch token {
        case Token.signals: while let number = signals.next() { heed(number) }
        case Token.timer: for alarm in timers.due(at: .now) { expire(alarm) }
        case Token.server:
            server.handle()
            // Somebody may follow from now on, while nothing else happens.
            setAlarms()
        case Token.errands: errands.finish()
        case Token.deck: while let event = deck?.nextEvent() { hear(event) }
        case Token.media: processMedia()
        case Token.buttons: feelButtons()
        case Token.lights:
            do throws(Failure) { try lights?.process() } catch { tellOfLight(error) }
        default: break
        }
    }

    private func heed(_ signal: Int32) {
        switch signal {
        case SIGHUP: reload()
        case SIGUSR1:
            isToBeReplaced = true
            endIfReplaced()
        default: shutDown()
        }
    }

    private func shutDown() {
        supervisor.stopping()
        take(.shutdown)
    }

    /// Another program is installed, and whoever starts this one again starts that: nothing is disturbed by it.
    func endIfReplaced() {
        guard isToBeReplaced, still == nil else { return }
        switch state.phase {
        case .idle, .fault:
            isToBeReplaced = false
            shutDown()
        case .arming, .recording, .paused, .finalising, .pending: break
        }
    }

    private func expire(_ alarm: Alarm) {
        switch alarm {
        case .recorder(let timer): take(.timer(timer))
        case .levels: tellLevels()
        case .look: lookAtRecording()
        case .watchdog: feedWatchdog()
        case .source: chooseSource()
        case .still: giveUpStill()
        }
    }

    /// Feeds the watchdog while the thread that captures goes round. One that hangs while something is being saved is left
    /// to the time limits of the state machine, which finish the file.
    private func feedWatchdog() {
        guard let interval = supervisor.watchdogInterval else { return }
        timers.set(.watchdog, at: .now + interval / 2)
        if let deck { deckTurn = max(deckTurn, deck.status.lastTurn) } else { deckTurn = .now }
        let isHung = MonotonicTime.now - deckTurn > 30_000_000_000
        if !isHung || state.take != nil { supervisor.feedWatchdog() }
    }

    /// Waits for a descriptor as well.
    /// - Throws: `Failure` of kind internalFault.
    func add(_ raw: Int32, _ token: UInt64) throws(Failure) {
        do throws(Errno) {
            try epoll.add(raw, for: .readable, token: token)
        } catch {
            throw Failure(.internalFault, "cannot watch for events", because: "\(error)")
        }
    }

    /// Waits for a descriptor no longer.
    func remove(_ raw: Int32) {
        do throws(Errno) { try epoll.remove(raw) } catch {
            // It was not waited for, which is what is wanted.
        }
    }
}
