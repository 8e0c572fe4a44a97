import Foundation
import Glibc
import Judges
import Testing

/// The installed recorder, and all by which it tells that something was refused or has failed: a word and an exit code for
/// who asked, an entry of the journal, and blinks of the light.
enum RefusingRecorder {
    /// What an entry of the journal says to programs.
    struct Entry: Decodable {
        var text: String
        var identifier: String?
        var error: String?
        var path: String?

        enum CodingKeys: String, CodingKey {
            case text = "MESSAGE"
            case identifier = "MESSAGE_ID"
            case error = "KINEBOX_ERROR"
            case path = "KINEBOX_PATH"
        }
    }

    /// Identifiers of events, as `systemd/kinebox.catalog` explains them.
    enum Event {
        static let refused = "eb0ac3804c9d44cc93971c185c4c5170"
        static let clientRefused = "c7f3090d854d40138ffd272ddeba8f35"
        static let recordingFailed = "23b3b7e102484d418eb5d8bbac2976e1"
        static let mediumRemoved = "423c4296580f4cc487cc23c323beb20b"
        static let buttonStuck = "510929ddb16c430a9438b56b3f5baad5"
    }

    /// A source that costs this board little, a stick that may be small, and refusals that can be watched.
    static let usual = """
        [Recording]
        Video=test
        Audio=none
        Size=160x120
        Rate=5
        Encoder=software
        Preset=ultrafast
        [Media]
        LeastRoom=16M
        [Behaviour]
        RefusalShownFor=1min
        """

    /// Installs the recorder with a stick in it, where that has not been done yet on this board.
    static func begin(_ configuration: String = usual, location: SourceLocation = #_sourceLocation) throws {
        if try Board.run("systemctl", "-q", "is-active", "kinebox.service").exitCode != 0 {
            try ServedRecorder.begin(configuration, location: location)
        }
        _ = try entries()
    }

    /// Changes the configuration of the recorder while it runs, by lines of its own.
    static func configure(_ lines: String, location: SourceLocation = #_sourceLocation) throws {
        try Board.shell(
            """
            cat >/etc/kinebox/kinebox.conf.d/60.conf <<'END'
            \(lines)
            END
            systemctl reload kinebox.service
            """, location: location)
    }

    /// The recorder's entries in the journal since this was asked last.
    static func entries(location: SourceLocation = #_sourceLocation) throws -> [Entry] {
        try Board.shell(
            """
            journalctl --sync
            journalctl -q --no-pager --cursor-file=/run/board/journal-cursor -o json \
                --output-fields=MESSAGE,MESSAGE_ID,KINEBOX_ERROR,KINEBOX_PATH _SYSTEMD_UNIT=kinebox.service
            """, location: location
        ).split(separator: "\n").map { try JSONDecoder().decode(Entry.self, from: Data($0.utf8)) }
    }

    /// Waits until the journal has an event, and gives all that it told until then.
    static func entries(until event: String, location: SourceLocation = #_sourceLocation) throws -> [Entry] {
        var all: [Entry] = []
        for _ in 0..<120 {
            all += try entries(location: location)
            if all.contains(where: { $0.identifier == event }) { return all }
            usleep(500_000)
        }
        Issue.record("\(event) was not told: \(all)", sourceLocation: location)
        return all
    }

    /// A command is refused: its exit code, the socket's word for it, and one entry of the journal say so.
    static func refuses(
        _ words: [String], _ error: String, exitCode: Int32, event: String = Event.refused,
        location: SourceLocation = #_sourceLocation
    ) throws {
        let ending = try ChildProcess("kinebox", words + ["--json"]).wait(atMost: 90)
        #expect(ending.exitCode == exitCode, "\(ending)", sourceLocation: location)
        #expect(BoxHands.answer(ending) == error, "\(ending)", sourceLocation: location)
        try tells(of: error, event, location: location)
    }

    /// The journal tells of a failure, once.
    static func tells(of error: String, _ event: String, location: SourceLocation = #_sourceLocation) throws {
        let entries = try entries(location: location)
        #expect(
            entries.filter { $0.error == error }.map(\.identifier) == [event], "\(entries)", sourceLocation: location)
    }

    /// The light blinks so often between two pauses.
    static func blinks(_ count: Int, location: SourceLocation = #_sourceLocation) throws {
        // Two rounds and more, so that one of them is whole wherever the watch begins.
        let seconds = 2 * (Double(count) * 0.5 + 1.5) + 2.5
        let record = try WatchedLight.begun("red", seconds: "\(seconds)").record()
        let isRight = !record.flashes.isEmpty && record.flashes.allSatisfy { $0 == count }
        #expect(isRight, "\(count) blinks: \(record)", sourceLocation: location)
    }

    /// The light stays as it is: "on", or "off".
    static func light(is pattern: String, location: SourceLocation = #_sourceLocation) throws {
        let seen = try Board.control("light", "red", "0.6", location: location).last ?? ""
        #expect(seen == "pattern \(pattern)", sourceLocation: location)
    }

    /// All recordings on the stick are whole, and there are so many.
    static func areWhole(_ count: Int, location: SourceLocation = #_sourceLocation) throws {
        let found = try Board.run(
            "bash", "-c", "ls /media/kinebox/*/*.mp4 | wc -l; kinebox check /media/kinebox/*/*.mp4")
        #expect(found.exitCode == 0 && found.text.hasPrefix("\(count)\n"), "\(found)", sourceLocation: location)
    }
}
