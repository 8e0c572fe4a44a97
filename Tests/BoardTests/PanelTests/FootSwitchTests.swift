import CKernel
import Glibc
import Judges
import Linux
import Panel
import Testing

extension BoardTests {
    @Suite("Foot switches")
    struct FootSwitchTests {
        private let name = "PCsensor FootSwitch"

        private func wiring() throws -> ButtonWiring {
            let code = try #require(KeyCode(named: "KEY_B"))
            return ButtonWiring("foot", at: .key(code, device: "PCsensor*", isExclusive: true))
        }

        private func keypad() throws -> VirtualKeypad { try VirtualKeypad(name, keys: [KEY_A, KEY_B, KEY_C]) }

        private func press(_ keypad: VirtualKeypad, _ panel: PressedButtons) throws {
            try keypad.set(KEY_B, isDown: true)
            panel.watch(milliseconds: 50)
            try keypad.set(KEY_B, isDown: false)
            panel.watch(milliseconds: 300)
        }

        @Test("one that is plugged in later works, is missed when it is pulled out, and is taken again when it is back")
        func comesAndGoes() throws {
            let panel = try PressedButtons([try wiring()])
            #expect(panel.changes.isEmpty && panel.buttons.absences.count == 1)
            for round in 1...3 {
                do {
                    let keypad = try keypad()
                    #expect(panel.watch { panel.changes.last == "found foot" })
                    #expect(panel.buttons.absences.isEmpty)
                    try press(keypad, panel)
                    #expect(panel.pressed.count == round)
                }
                #expect(panel.watch { panel.changes.last == "lost foot" })
                #expect(panel.buttons.absences.count == 1)
            }
            #expect(panel.changes.count == 6)
        }

        @Test("one that is pulled out while it is pressed leaves no hold behind")
        func goesWhilePressed() throws {
            let panel = try PressedButtons([try wiring()])
            do {
                let keypad = try keypad()
                #expect(panel.watch { panel.changes.last == "found foot" })
                try keypad.set(KEY_B, isDown: true)
                panel.watch(milliseconds: 200)
            }
            #expect(panel.watch { panel.changes.last == "lost foot" })
            panel.watch(milliseconds: 1500)
            #expect(panel.gestures == ["pressed"])
        }

        @Test("with two that are alike each works, and one may go")
        func two() throws {
            let panel = try PressedButtons([try wiring()])
            let first = try keypad()
            #expect(panel.watch { panel.changes.last == "found foot" })
            do {
                let second = try keypad()
                panel.watch(milliseconds: 500)
                try press(first, panel)
                try press(second, panel)
                #expect(panel.gestures == ["pressed", "released", "pressed", "released"])
            }
            panel.watch(milliseconds: 500)
            #expect(panel.changes == ["found foot"])
            try press(first, panel)
            #expect(panel.pressed.count == 3)
        }

        /// More events than the device's queue holds, and nobody reads in between: the kernel throws all away and says so.
        private func flood(_ keypad: VirtualKeypad) throws {
            for _ in 0..<300 {
                try keypad.set(KEY_A, isDown: true)
                try keypad.set(KEY_A, isDown: false)
            }
        }

        @Test("a press that was lost in a flood is found by its level, and so is its end")
        func dropped() throws {
            let panel = try PressedButtons([try wiring()])
            let keypad = try keypad()
            #expect(panel.watch { panel.changes.last == "found foot" })
            try keypad.set(KEY_B, isDown: true)
            try flood(keypad)
            panel.watch(milliseconds: 300)
            #expect(panel.gestures == ["pressed"])
            try keypad.set(KEY_B, isDown: false)
            try flood(keypad)
            panel.watch(milliseconds: 300)
            #expect(panel.gestures == ["pressed", "released"])
            try press(keypad, panel)
            #expect(panel.gestures == ["pressed", "released", "pressed", "released"])
        }

        @Test("a hold whose end was lost in a flood is no hold")
        func droppedRelease() throws {
            let panel = try PressedButtons([try wiring()])
            let keypad = try keypad()
            #expect(panel.watch { panel.changes.last == "found foot" })
            try keypad.set(KEY_B, isDown: true)
            panel.watch(milliseconds: 200)
            try keypad.set(KEY_B, isDown: false)
            try flood(keypad)
            // Nobody looks before the second is over.
            usleep(1_500_000)
            panel.watch(milliseconds: 300)
            #expect(panel.gestures == ["pressed", "released"])
        }

        @Test("nobody else sees the keys that are ours")
        func grabbed() throws {
            let panel = try PressedButtons([try wiring()])
            let keypad = try keypad()
            #expect(panel.watch { panel.changes.last == "found foot" })
            let node = try Board.shell("grep -l '\(name)' /sys/class/input/event*/device/name | cut -d/ -f5").dropLast()
            let other = try ChildProcess("evtest", ["/dev/input/\(node)"])
            while other.isRunning, !String(decoding: other.outputSoFar, as: UTF8.self).contains("Testing ...") {
                usleep(20_000)
            }
            try press(keypad, panel)
            other.send(SIGTERM)
            #expect(!other.wait(atMost: 10).text.contains("KEY_B), value"))
            #expect(panel.gestures == ["pressed", "released"])
        }
    }
}
