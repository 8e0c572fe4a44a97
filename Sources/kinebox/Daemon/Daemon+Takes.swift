import Control
import Glibc
import Linux
import Media
import Recorder
import Storage

/// What the daemon knows of a recording beside what the state machine does.
struct RunningTake {
    /// When somebody asked for it: the edge of a button, the reading of a call.
    var requested: MonotonicTime
    /// The name of its medium.
    var medium: String
    var metadata: RecordingMetadata
    /// Nanoseconds of the recording after which it ends by itself; nil for never.
    var limit: Int64?
    /// When it was begun, in seconds since 1970.
    var started = WallClock.seconds
    /// Whether those who watch were told that its thread does not go round.
    var isHung = false

    /// Nanoseconds that the thread of a recording may take for what it does at a time: opening an encoder takes ten seconds
    /// at most.
    static let longestTurn: Int64 = 15_000_000_000

    mutating func extend(by nanoseconds: Int64) {
        if let limit { self.limit = TakePlan.extended(limit, by: nanoseconds) }
    }
}

/// Recordings on the deck.
extension Daemon {
    /// Begins a recording. Its name is found by the thread of the medium, since that may wait; pictures do not.
    func start(_ take: Take) {
        takes[take.number] = RunningTake(
            requested: moment, medium: take.medium, metadata: take.request.metadata,
            limit: take.request.duration ?? configuration.recording.duration)
        if let deck { return begin(take, on: deck) }
        // After the daemon's start, and while another deck is made, nobody is refused for being quick.
        if isChoosingSource {
            waitingTake = take
            return
        }
        fail(
            take.number,
            Failure(
                .noSource, "cannot record", because: "there is nothing to record from",
                mend: "Look at the cable, and at Video= in the configuration."))
    }

    private func begin(_ take: Take, on deck: Deck) {
        guard let folder = folder(of: take.medium), let running = takes[take.number] else {
            return fail(take.number, Failure(.noMedium, "cannot record to \(take.medium)", because: "it is gone"))
        }
        let (name, prefix, isContinuation) = (
            take.request.name, configuration.recording.namePrefix, take.request.waits
        )
        deck.start(
            TakePlan(
                number: take.number,
                naming: { () throws(Failure) in
                    try folder.name(name, prefix: prefix, isContinuation: isContinuation)
                },
                place: folder.place, duration: running.limit, leastRoom: configuration.media.leastRoom,
                splits: configuration.recording.splits, metadata: take.request.metadata),
            medium: take.medium, at: running.requested)
    }

    /// A recording that could not begin.
    private func fail(_ number: Int, _ failure: Failure) {
        take(.take(number, .ended(TakeResult(number: number, failure: failure))))
    }

    func stop(_ number: Int) {
        if waitingTake?.number == number {
            // The deck has never heard of it.
            waitingTake = nil
            return take(.take(number, .ended(TakeResult(number: number))))
        }
        deck?.stop(take: number, at: moment)
    }

    /// Nobody waits for a recording's end any more. A deck that hangs is left to itself, and another one is made.
    func abandon(_ number: Int) {
        deck?.abandon(take: number)
        // It would come from the same thread.
        if still != nil { giveUpStill() }
        renewDeck()
    }

    func conclude(_ result: TakeResult) {
        let running = takes.removeValue(forKey: result.number)
        if result.nanoseconds > 1_000_000_000 {
            byteRate = result.byteCount * 1000 / (result.nanoseconds / 1_000_000)
        }
        tellOfEnd(result, running)
        bay.refresh()
    }

    /// Too much is waited for already, which means that media do not answer.
    static func overloaded(_ thing: String) -> Failure {
        Failure(
            .internalFault, thing, because: "too many media or devices do not answer",
            mend: "Take out the medium, and start the box anew if that does not help.")
    }

    // MARK: What the deck tells

    func hear(_ event: DeckEvent) {
        switch event {
        case .source(let condition):
            tellOfSource(condition)
            take(.source(condition))
            lookForSource(condition)
        case .take(let number, let event):
            tellOfTake(number, event)
            take(.take(number, event))
        case .warning(let warning, let isOn):
            if isOn { tellOfWarning(warning) }
            take(.warning(warning, isOn: isOn))
        case .still(let number, let result): finishStill(number, result)
        case .notice(let told): tell(of: told)
        }
    }

    // MARK: The source

    /// Chooses sources aside, since looking at devices may wait for them, and makes a deck of them.
    func chooseSource() {
        guard !isChoosingSource else { return }
        let (wanted, old) = (configuration.recording, leavingDeck)
        leavingDeck = nil
        isChoosingSource = errands.run("kinebox-source") {
            // A device that is about to be closed would be taken for one that others use: three seconds at most.
            for _ in 0..<300 where old?.hasLetGo == false { usleep(10_000) }
            do throws(Failure) {
                return .source(.success(try SourceChoice(wanted, waitsForSignal: true)))
            } catch {
                return .source(.failure(error))
            }
        } then: { [unowned self] outcome in
            isChoosingSource = false
            guard case .source(let result) = outcome, wanted == configuration.recording else { return chooseSource() }
            switch result {
            case .success(let choice): use(choice)
            case .failure(let failure):
                // A deck that is there knows better what is wrong with its source.
                guard deck == nil else { return lookForSource(state.source) }
                hear(.source(.absent(failure)))
            }
        }
        if !isChoosingSource { timers.set(.source, at: .now + 2_000_000_000) }
    }

    private func use(_ choice: SourceChoice) {
        // The deck opens the same ones by itself, as soon as that can be. A device that is unplugged stays the source: a
        // test picture in its place would be no recording of it.
        if deck != nil, choice.isStandIn || choice.places == sourcePlaces { return lookForSource(state.source) }
        guard deck == nil || isDeckFree else {
            isDeckStale = true
            return
        }
        do throws(Failure) {
            closeDeck()
            let deck = try Deck(choice.deckPlan(configuration.recording, isWarm: configuration.keepsSourcesOpen))
            try add(deck.descriptor, Token.deck)
            (self.deck, sourcePlaces, isStandIn) = (deck, choice.places, choice.isStandIn)
            lookForSource(.unknown)
            if let take = waitingTake { begin(take, on: deck) }
            waitingTake = nil
            if !configuration.keepsSourcesOpen { take(.source(.unknown)) }
        } catch {
            hear(.source(.absent(error)))
        }
    }

    private func closeDeck() {
        guard let old = deck else { return }
        remove(old.descriptor)
        old.close()
        (deck, leavingDeck) = (nil, old)
    }

    /// Whether nothing is recorded or pictured that another deck would know nothing of.
    var isDeckFree: Bool { state.take == nil && still == nil }

    /// Makes another deck, now or as soon as nothing is recorded.
    func renewDeck() {
        guard isDeckFree else {
            isDeckStale = true
            return
        }
        isDeckStale = false
        closeDeck()
        chooseSource()
    }

    /// A source that is away may come back as another device, and one may come where none was: it is chosen again now
    /// and then.
    private func lookForSource(_ condition: SourceCondition) {
        if case .absent = condition {
            timers.set(.source, at: .now + 2_000_000_000)
        } else if isStandIn {
            timers.set(.source, at: .now + 5_000_000_000)
        } else {
            timers.cancel(.source)
        }
    }
}
