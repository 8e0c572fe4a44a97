import Control
import Foundation
import Glibc
import Judges
import Media
import Testing

/// Everything that a box can be used by: its button, its socket, the commands, and the commands from another machine.
struct BoxHands {
    enum Hand: String, CaseIterable {
        case button, socket, command, remote
    }

    /// Wishes a thing, and gives the answer: "done", or the error's name.
    func wish(_ wish: BoxModel.Wish, by hand: Hand) throws -> String {
        switch hand {
        case .button: return try press()
        case .socket: return try ask(wish)
        case .command: return try Self.answer(command(wish, []).wait(atMost: 60))
        case .remote: return try Self.answer(command(wish, ["--host", "person@board"]).wait(atMost: 60))
        }
    }

    /// Begins to wish a thing, beside others.
    func begin(_ wish: BoxModel.Wish, by hand: Hand) throws -> ChildProcess {
        switch hand {
        case .button: try Board.start("boardctl press record")
        case .socket, .command: try command(wish, [])
        case .remote: try command(wish, ["--host", "person@board"])
        }
    }

    private func press() throws -> String {
        try Board.control("press", "record")
        return "done"
    }

    private func command(_ wish: BoxModel.Wish, _ options: [String]) throws -> ChildProcess {
        try ChildProcess("kinebox", [wish.rawValue, "--json"] + options)
    }

    /// What a command that ended says of its wish.
    static func answer(_ ending: Ending) -> String {
        if ending.exitCode == 0 { return "done" }
        guard let start = ending.text.range(of: "io.kinebox.Recorder.") else { return "\(ending)" }
        return String(ending.text[start.upperBound...].prefix { $0.isLetter })
    }

    private func ask(_ wish: BoxModel.Wish) throws -> String {
        do throws(Refusal) {
            let client: RecorderClient
            do throws(Failure) {
                client = try RecorderClient(.socket(RecorderServer.usualPath))
            } catch {
                throw Refusal(error)
            }
            switch wish {
            case .start: _ = try client.call(RecorderAPI.Start.self, .init())
            case .stop: _ = try client.call(RecorderAPI.Stop.self)
            case .pause: _ = try client.call(RecorderAPI.Pause.self)
            case .resume: _ = try client.call(RecorderAPI.Resume.self)
            case .split: _ = try client.call(RecorderAPI.Split.self)
            case .mark: _ = try client.call(RecorderAPI.Mark.self, .init(label: "here"))
            case .snapshot: _ = try client.call(RecorderAPI.Snapshot.self)
            case .pull, .plug: return "no wish for a socket"
            }
            return "done"
        } catch {
            return error.failure.kind.rawValue
        }
    }

    /// How the box stands.
    func status() throws -> RecorderAPI.Subscribe.Reply {
        let client = try RecorderClient(.socket(RecorderServer.usualPath))
        var reply: RecorderAPI.Subscribe.Reply?
        try client.follow {
            reply = $0
            return false
        }
        return try #require(reply)
    }

    /// How the box stands once it has come to rest: nothing is about to begin or to end, and what is plugged in is ready.
    func rest(withStick: Bool) throws -> RecorderAPI.Status {
        for _ in 0..<600 {
            let now = try status()
            let isMoving = [.arming, .finalising, .pending].contains(now.status.state)
            let isReady = now.media.contains { $0.state == .ready || $0.state == .full }
            if !isMoving, withStick ? isReady : now.media.isEmpty { return now.status }
            usleep(50_000)
        }
        let last = try status()
        Issue.record("it does not come to rest: \(last)")
        return last.status
    }
}
