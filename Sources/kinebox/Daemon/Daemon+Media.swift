import Control
import Linux
import Media
import Recorder
import Storage

extension Daemon {
    /// Takes in which media there are, and how they stand.
    func processMedia() {
        bay.process()
        while let event = bay.nextEvent() {
            switch event {
            case .changed: lookAtMedia()
            case .mounted(let medium): recover(medium)
            case .ejected(let name): endEjection(of: name, nil)
            case .notEjected(let name, let failure): endEjection(of: name, failure)
            }
        }
    }

    func lookAtMedia() {
        for (name, told) in toldMedia where !bay.list.contains(where: { $0.name == name }) {
            toldMedia[name] = nil
            tellOfRemoval(name, told)
        }
        for medium in bay.list { tellOfMedium(medium) }
        take(.media(bay.list.map { MediumReport(name: $0.name, condition: MediumReport.Condition($0.state)) }))
    }

    /// The folder of a medium that recordings go into; nil while it is not mounted.
    func folder(of name: String) -> RecordingFolder? {
        guard let place = bay.list.first(where: { $0.name == name })?.place else { return nil }
        let inner = configuration.media.folder
        return RecordingFolder(
            medium: name, place: place, path: inner.isEmpty ? place.folder : "\(place.folder)/\(inner)")
    }

    /// Finishes the recordings on a medium that a power cut or a kill left; only then it takes others.
    private func recover(_ medium: Medium) {
        guard let folder = folder(of: medium.name) else { return }
        let isRunning = errands.run("kinebox-recover") {
            .recovered(folder.recover())
        } then: { [unowned self] outcome in
            guard case .recovered(let files) = outcome else { return }
            for file in files { tellOfRecovery(file, on: folder.medium) }
            bay.recovered(folder.medium)
            processMedia()
        }
        // What is left unfinished plays all the same, and a medium that cannot be used helps nobody.
        if !isRunning { bay.recovered(medium.name) }
    }

    // MARK: Taking off

    func eject(_ name: String) {
        do throws(Failure) {
            try bay.eject(name)
        } catch {
            take(.ejectEnded(error))
        }
    }

    private func endEjection(of name: String, _ failure: Failure?) {
        if failure == nil {
            write(JournalEntry(.mediumEjected, "\(name) can be pulled.", [.medium: name]))
            server.announce("\(name) can be pulled", .information)
        }
        take(.ejectEnded(failure))
    }

    // MARK: Stills

    func takeStill(on medium: String) {
        stillCount += 1
        still = (stillCount, medium)
        guard let deck else {
            return endStill(
                .failed(Failure(.noSource, "cannot take a still", because: "there is nothing to take it from")))
        }
        timers.set(.still, at: .now + 20_000_000_000)
        deck.still(number: stillCount)
    }

    func giveUpStill() {
        guard let (_, medium) = still else { return }
        endStill(
            .failed(
                Failure(
                    .mediumFailed, "cannot take a still", because: "the source, or \(medium), does not answer",
                    mend: "Try again.")))
    }

    func finishStill(_ number: Int, _ result: StillResult) {
        guard let (wanted, medium) = still, wanted == number else { return }
        guard case .taken(let bytes) = result else {
            if case .failed(let failure) = result { endStill(.failed(failure)) }
            return
        }
        guard let folder = folder(of: medium) else {
            return endStill(.failed(Failure(.noMedium, "cannot save the still", because: "\(medium) is gone")))
        }
        let prefix = configuration.recording.namePrefix
        let isRunning = errands.run("kinebox-still") {
            do throws(Failure) {
                return .still(.success(try folder.save(still: bytes, prefix: prefix)))
            } catch {
                return .still(.failure(error))
            }
        } then: { [unowned self] outcome in
            guard case .still(let result) = outcome, still?.number == number else { return }
            switch result {
            case .success(let path): endStill(.taken(path: path))
            case .failure(let failure): endStill(.failed(failure))
            }
        }
        if !isRunning { endStill(.failed(Self.overloaded("cannot save the still"))) }
    }

    private func endStill(_ result: SnapshotResult) {
        still = nil
        timers.cancel(.still)
        switch result {
        case .taken(let path): write(JournalEntry(.stillTaken, "A still was saved: \(path).", [.path: path]))
        case .failed(let failure): write(entry(.stillFailed, of: failure))
        }
        take(.snapshotEnded(result))
    }
}

extension MediumReport.Condition {
    init(_ state: Medium.State) {
        switch state {
        case .preparing: self = .preparing
        case .ready: self = .ready
        case .full: self = .full
        case .readOnly: self = .readOnly
        case .failed: self = .failed
        case .leaving, .ejected: self = .leaving
        }
    }
}
