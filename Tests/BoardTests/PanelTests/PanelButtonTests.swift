import CKernel
import Glibc
import Judges
import Linux
import Media
import Testing

@testable import Panel

extension BoardTests {
    @Suite("The panel's buttons")
    struct PanelButtonTests {
        private func key(_ name: String, on device: String? = "keys") throws -> ButtonWiring {
            let code = try #require(KeyCode(named: name))
            return ButtonWiring(name.lowercased(), at: .key(code, device: device, isExclusive: true))
        }

        private func line(_ address: String = "bare-button") throws -> ButtonWiring {
            ButtonWiring("bare", at: .line(try #require(LineAddress(address)), LineSense()))
        }

        private func wiring(_ name: String) throws -> ButtonWiring {
            name == "bare-button" ? try line() : try key("RECORD")
        }

        private func boardctl(_ words: String...) throws -> ChildProcess { try ChildProcess("boardctl", words) }

        private let press = ["pressed", "released"]

        @Test(
            "a press is told with the times at which the contact closed and opened",
            arguments: ["record", "bare-button"])
        func press(button: String) throws {
            let panel = try PressedButtons([try wiring(button)])
            #expect(panel.buttons.absences.isEmpty)
            let before = MonotonicTime.now
            #expect(panel.watch(try boardctl("press", button)).exitCode == 0)
            try #require(panel.gestures == press)
            #expect(before < panel.actions[0].time && panel.actions[0].time < panel.actions[1].time)
            #expect(panel.actions[1].time < .now)
            #expect(panel.actions.allSatisfy { $0.pressed == panel.actions[0].time })
        }

        @Test("a contact that bounces is one press", arguments: ["record", "bare-button"])
        func bounce(button: String) throws {
            let panel = try PressedButtons([try wiring(button)])
            #expect(panel.watch(try boardctl("press", button, "--bounce")).exitCode == 0)
            #expect(panel.gestures == press)
        }

        @Test("where the kernel lets no line settle, each bounce is an edge, and the press is one all the same")
        func settlesHere() throws {
            let line = try ButtonLine(.named("bare-button"), LineSense(), button: 0, debounce: 0)
            let finger = try SimulatedContact("bare-button")
            defer { try? finger.set(isDown: false) }
            var contact = Contact(button: 0, PressGrammar(), debounce: 50_000_000, isClosed: line.isClosed(0), at: .now)
            var gestures: [PressGesture] = []
            var edgeCount = 0
            for isDown in [true, false] {
                try finger.bounce(toDown: isDown)
                let before = edgeCount
                // On a busy machine the kernel tells of edges a little later than they were made.
                for _ in 0..<50 where edgeCount == before {
                    usleep(100_000)
                    try line.takeEdges { edge in
                        edgeCount += 1
                        gestures += contact.edge(edge.change).map(\.gesture)
                    }
                }
                let settled = try #require(contact.deadline)
                gestures += contact.pass(to: settled).map(\.gesture)
            }
            #expect(edgeCount > 2)
            #expect(gestures == [.pressed, .released])
        }

        @Test("a hold is told while the button is still down", arguments: ["record", "bare-button"])
        func hold(button: String) throws {
            let panel = try PressedButtons([try wiring(button)])
            let holding = try boardctl("hold", button, "7")
            for gestures in [["pressed"], ["pressed", "held 1"], ["pressed", "held 1", "held 5"]] {
                #expect(panel.watch { panel.actions.count == gestures.count })
                #expect(panel.gestures == gestures)
                #expect(holding.isRunning)
            }
            #expect(panel.watch(holding).exitCode == 0)
            #expect(panel.gestures == ["pressed", "held 1", "held 5", "released"])
            #expect(Set(panel.actions.map(\.pressed)).count == 1)
        }

        @Test("nothing is told of a button that is held as the panel begins", arguments: ["record", "bare-button"])
        func stuck(button: String) throws {
            let finger = try SimulatedContact(button)
            try finger.set(isDown: true)
            defer { try? finger.set(isDown: false) }
            usleep(200_000)
            let panel = try PressedButtons([try wiring(button)])
            panel.watch(milliseconds: 1500)
            try finger.set(isDown: false)
            panel.watch(milliseconds: 500)
            #expect(panel.actions.isEmpty)
            #expect(panel.watch(try boardctl("press", button)).exitCode == 0)
            #expect(panel.gestures == press)
        }

        @Test(
            "fifty presses in a second: presses and releases by turns, and the button works afterwards",
            arguments: [0, 8])
        func hammering(place: Int) throws {
            let button = place == 0 ? "record" : "bare-button"
            let panel = try PressedButtons([try wiring(button)])
            let hammer = try Board.start(
                """
                cd /sys/devices/platform/panel/gpiochip*/sim_gpio\(place); exec {never}<> <(:)
                for ((press = 0; press < 50; press++)); do
                    echo pull-up >pull; read -r -t 0.01 -u $never _; echo pull-down >pull; read -r -t 0.01 -u $never _
                done
                true
                """)
            #expect(panel.watch(hammer).exitCode == 0)
            let count = panel.pressed.count
            // A contact that does not rest between two of them as long as a line needs to settle is no press there.
            #expect(((place == 0 ? 1 : 0)...50).contains(count))
            // A line that never rests for its time of settling is closed all the while, which may be long enough for a hold.
            let turns = place == 0 ? panel.gestures : panel.gestures.filter { !$0.hasPrefix("held") }
            #expect(turns == Array(repeating: press, count: count).flatMap { $0 })
            #expect(panel.actions.map(\.time) == panel.actions.map(\.time).sorted())
            #expect(panel.watch(try boardctl("press", button)).exitCode == 0)
            #expect(panel.pressed.count == count + 1)
        }

        @Test("several buttons on one device and one on a line, each by its name")
        func several() throws {
            let panel = try PressedButtons([
                try key("RECORD"), try key("STOP"), try key("FAVORITES"), try line(),
            ])
            for button in ["stop", "record", "mark", "bare-button", "stop"] {
                #expect(panel.watch(try boardctl("press", button)).exitCode == 0)
            }
            #expect(panel.pressed == ["stop", "record", "favorites", "bare", "stop"])
        }

        @Test("while nothing is pressed nothing wakes up, and a held button only as its holds are reached")
        func quiet() throws {
            let panel = try PressedButtons([try wiring("record"), try line()])
            panel.watch(milliseconds: 2000)
            #expect(panel.wakeUps == 0)
            #expect(panel.watch(try boardctl("hold", "record", "4")).exitCode == 0)
            // Down, the first second, up.
            #expect(panel.wakeUps == 3)
        }

        @Test("a device belongs to one program; another one is told so, by name")
        func exclusive() throws {
            let panel = try PressedButtons([try key("RECORD"), try line()])
            let other = try PressedButtons([try key("RECORD"), try line()])
            #expect(other.buttons.absences.count == 2)
            #expect(other.buttons.absences.allSatisfy { $0.cause.contains("another program") })
            #expect(panel.watch(try boardctl("press", "record")).exitCode == 0)
            #expect(panel.gestures == press)
            #expect(other.actions.isEmpty)
        }

        @Test("a button that is not there is named, with what helps")
        func absent() throws {
            let panel = try PressedButtons([
                try line("GPIO99"), try line("panel:16"), try key("CAMERA", on: nil),
            ])
            let words = panel.buttons.absences.map { "\($0)" }
            try #require(words.count == 3)
            #expect(words[0].contains("GPIO99") && words[1].contains("panel:16") && words[2].contains("KEY_CAMERA"))
        }

        @Test("a line is found by the label of its chip as well")
        func byPlace() throws {
            let chip = try Board.shell("gpiodetect | sed -n 's/.*\\[\\(.*\\)\\].*/\\1/p' | head -n 1").dropLast()
            let panel = try PressedButtons([try line("\(chip):8")])
            #expect(panel.buttons.absences.isEmpty)
            #expect(panel.watch(try boardctl("press", "bare-button")).exitCode == 0)
            #expect(panel.gestures == press)
        }
    }
}
