import Control
import Linux
import Media
import Recorder

/// The socket, and what is read again while the recorder runs.
extension Daemon {
    /// Takes clients from the sockets that systemd hands on, else from one of its own.
    /// - Throws: `Failure` when the socket cannot be made.
    func listen() throws(Failure) {
        let server = server
        let count = try PassedSockets.take { (socket) throws(Failure) in try server.listen(on: socket) }
        let control = configuration.control
        if count == 0 { try server.listen(at: control.path, mode: control.mode, group: control.group) }
        try add(server.raw, Token.server)
    }

    /// Reads the configuration again. One that is wrong changes nothing, and what is being recorded is never disturbed:
    /// sources and encoder change as soon as nothing is.
    func reload() {
        supervisor.reloading()
        do throws(Failure) {
            adopt(try DaemonConfiguration(reading: configurationPath))
        } catch {
            write(JournalEntry(.configurationRefused, "\(error)", [.reason: error.cause]))
            server.announce("the configuration stays as it was: \(error)", .failure)
        }
        supervisor.ready(status: statusLine)
    }

    private func adopt(_ new: DaemonConfiguration) {
        let change = ConfigurationChange(from: configuration, to: new)
        configuration = new
        if change.contains(.policy) { take(.configured(new.policy)) }
        if change.contains(.access) { server.access = new.control.access() }
        if change.contains(.sources) { renewDeck() }
        do throws(Failure) {
            if change.contains(.buttons) { try renewButtons() }
            if change.contains(.lights) { try renewLights() }
        } catch {
            // The system has no descriptor or process left.
            notice("the buttons and lights cannot be used as they are configured now: \(error)", .configurationRefused)
        }
        if change.contains(.media) {
            bay.prefer(new.media.order, leastRoom: new.media.leastRoom)
            processMedia()
        }
        var text = "The configuration was read again."
        if change.contains(.sources) && state.take != nil {
            text += " Other sources are opened as soon as nothing is recorded."
        }
        if !change.isDisjoint(with: .byStart) {
            text += " The socket changes when the recorder is started the next time."
        }
        write(JournalEntry(.configurationLoaded, text))
        server.announce("the configuration was read again", .information)
    }
}
