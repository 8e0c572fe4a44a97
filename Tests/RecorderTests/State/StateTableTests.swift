import Foundation
import Testing

@testable import Recorder

/// The state machine over every state and every input, held against a table that people have read.
@Suite struct StateTableTests {
    /// A line that changes is a decision: read it before it is put in.
    static var table: String {
        var folder = URL(filePath: #filePath)
        for _ in 0..<4 { folder.deleteLastPathComponent() }
        return folder.appending(path: "docs/recorder-states.txt").path
    }

    /// A line for each input that has a consequence; those that are only noted, or mean nothing, are named behind them.
    static var computed: String {
        var text = ""
        for scene in Scenes.states {
            let state = Scenes.state(scene.inputs)
            var quiet: [String: [String]] = [:]
            text += "\n\(scene.name)\n"
            for input in Scenes.inputs {
                let words = state.after(input.input).words(from: state)
                if words == "noted" || words == "nothing" {
                    quiet[words, default: []].append(input.name)
                } else {
                    text += "    \(input.name): \(words)\n"
                }
            }
            for (words, names) in quiet.sorted(by: { $0.key < $1.key }) {
                text += "    \(words): \(names.joined(separator: "; "))\n"
            }
        }
        return String(text.dropFirst())
    }

    @Test func everyPairIsAsTheTableSays() throws {
        let known = try String(contentsOfFile: Self.table, encoding: .utf8).split(separator: "\n")
        let found = Self.computed.split(separator: "\n")
        #expect(Scenes.states.count * Scenes.inputs.count > 1000)
        #expect(found.count == known.count)
        var scene = ""
        for (old, new) in zip(known, found) {
            if !new.hasPrefix(" ") { scene = String(new) }
            #expect(old == new, "in the state '\(scene)'")
        }
    }

    /// The scenes are what they are called, so that no row of the table is about something else.
    @Test func everyPhaseHasAScene() {
        let words = Set(Scenes.states.map { Scenes.state($0.inputs).word })
        #expect(words == ["idle", "arming", "recording", "paused", "finalising", "pending", "fault"])
        for scene in Scenes.states where scene.name != "ending" {
            #expect(scene.name.hasPrefix(Scenes.state(scene.inputs).word), "\(scene.name)")
        }
    }
}
