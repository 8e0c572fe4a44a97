import Glibc
import Judges
import Linux
import Media
import Panel
import Testing

extension BoardTests {
    @Suite("The panel's lights")
    struct PanelLightTests {
        private let red = LightWiring.led("red:record")
        private let bare = LightWiring.line(.named("bare-light"), isActiveLow: false)

        private func lights(_ wiring: LightWiring) throws -> Lights {
            let lights = try Lights(LightConfiguration(recording: .single(wiring)))
            #expect(lights.absences.isEmpty)
            return lights
        }

        /// Lets lights do what is due, and says whether something was.
        private func process(_ lights: Lights) throws -> Bool {
            var entry = pollfd(fd: lights.raw, events: Int16(POLLIN), revents: 0)
            guard poll(&entry, 1, 0) > 0 else { return false }
            try lights.process()
            return true
        }

        /// What a light that the kernel knows, and one on a line, make of a signal: the one without waking anybody up for it,
        /// the other by our timer, where the signal does not stand still.
        private func watch(
            _ signal: LightSignal, times: Int? = nil, seconds: String, isStill: Bool = false
        ) throws -> [WatchedLight.Record] {
            let byKernel = try lights(red)
            let byTimer = try lights(bare)
            let first = try WatchedLight("red", seconds: seconds)
            let second = try WatchedLight("bare-light", seconds: seconds)
            first.begin()
            second.begin()
            try byKernel.show(signal, times: times)
            try byTimer.show(signal, times: times)
            var kernelCount = 0
            var timerCount = 0
            let body = {
                if try process(byKernel) { kernelCount += 1 }
                if try process(byTimer) { timerCount += 1 }
            }
            let records = [try first.record(body), try second.record(body)]
            #expect(kernelCount == 0)
            #expect((timerCount == 0) == isStill)
            byKernel.close()
            byTimer.close()
            return records
        }

        /// The kernel's timers wake a little late, by up to an eighth, and a busy machine makes single edges later still.
        @Test(
            "even blinking has its rate",
            arguments: [
                (LightSignal.arming, "3", 4.2...5.1), (.unsaved, "4", 2.5...3.1), (.finalising, "6", 0.9...1.1),
                (.paused, "8", 0.45...0.55),
            ])
        func even(signal: LightSignal, seconds: String, rate: ClosedRange<Double>) throws {
            for record in try watch(signal, seconds: seconds) {
                let on = Double(try #require(record.usualOn))
                let off = Double(try #require(record.usualOff))
                #expect(rate.contains(1e9 / (on + off)), "\(record)")
                #expect((0.75...1.33).contains(on / off), "\(record)")
            }
        }

        @Test("safe is steady, idle is dark, and neither needs anybody", arguments: [LightSignal.safe, .idle])
        func steady(signal: LightSignal) throws {
            for record in try watch(signal, seconds: "1", isStill: true) {
                #expect(record.edges.map(\.isLit) == (signal == .safe ? [true] : []))
            }
        }

        @Test("safe with a warning has a short dark notch")
        func notch() throws {
            for record in try watch(.safeWithWarning, seconds: "10") {
                #expect(record.edges.first?.isLit == true)
                #expect(try #require(record.usualOn) > 15 * (try #require(record.usualOff)), "\(record)")
            }
        }

        @Test(
            "pending is a double flash, failures are counted by blinks",
            arguments: [LightSignal.pending, .failed(blinks: 3)])
        func flashes(signal: LightSignal) throws {
            for record in try watch(signal, seconds: "10") {
                let groups = record.flashes.sorted()
                try #require(groups.count >= 2, "\(record)")
                #expect(groups[groups.count / 2] == (signal == .pending ? 2 : 3), "\(record)")
            }
        }

        @Test("a single blink and its pause are not the even blinking of a paused recording")
        func oneBlink() throws {
            for record in try watch(.failed(blinks: 1), seconds: "6") {
                #expect(try #require(record.usualOff) > 4 * (try #require(record.usualOn)), "\(record)")
            }
        }

        @Test("a refusal is shown some times, and then the light is dark by itself")
        func times() throws {
            for record in try watch(.failed(blinks: 2), times: 2, seconds: "8") {
                #expect(record.edges.map(\.isLit) == [true, false, true, false, true, false, true, false])
            }
        }

        @Test("asked which box it is, it says so for a while, unless there is something to tell")
        func identify() throws {
            let lights = try lights(red)
            try lights.show(.safe)
            try lights.identify()
            #expect(pattern("red:record").hasPrefix("1 600"))
            // What is told already is no news.
            try lights.show(.safe)
            #expect(pattern("red:record").hasPrefix("1 600"))
            try lights.show(.idle)
            #expect(levels().first == "0")
            try lights.show(.safe)
            try lights.identify()
            var isOver = false
            for _ in 0..<2000 where !isOver {
                usleep(10_000)
                isOver = try process(lights)
            }
            #expect(pattern("red:record").hasPrefix("1 3600000") && levels().first == "1")
            lights.close()
        }

        @Test("what changes is written, and what stays is not")
        func changesOnly() throws {
            let lights = try lights(red)
            try lights.show(.safe)
            // Were the same signal written again, it would be lit again.
            try Board.shell("echo '0 1000 0 0' >/sys/class/leds/red:record/pattern")
            for _ in 0..<10 { try lights.show(.safe) }
            #expect(levels().first == "0")
            try lights.show(.finalising)
            try lights.show(.safe)
            #expect(levels().first == "1")
            lights.close()
            #expect(levels().first == "0")
            #expect(try Board.shell("cat /sys/class/leds/red:record/trigger").hasPrefix("[none]"))
        }

        @Test("a trigger that somebody took away is taken again")
        func takenAway() throws {
            let lights = try lights(red)
            try lights.show(.safe)
            try Board.shell("echo none >/sys/class/leds/red:record/trigger")
            #expect(levels().first == "0")
            try lights.show(.safeWithWarning)
            #expect(pattern("red:record").hasPrefix("1 2900"))
            try lights.show(.safe)
            #expect(levels().first == "1")
            lights.close()
        }

        @Test("one after another, each signal replaces the one before")
        func sequence() throws {
            let lights = try lights(red)
            for signal in [LightSignal.arming, .safe, .unsaved, .safe, .failed(blinks: 3), .pending, .safeWithWarning] {
                try lights.show(signal)
            }
            try lights.show(.safe)
            #expect(try WatchedLight.begun("red", seconds: "2").record().pattern == "on")
            lights.close()
            #expect(try WatchedLight.begun("red", seconds: "1").record().pattern == "off")
        }

        @Test("a light with three colours: red for what is safe, yellow for a pause, blue for what is pending")
        func colors() throws {
            let lights = try Lights(
                LightConfiguration(
                    recording: .colors(red: red, green: .led("green:medium"), blue: .led("blue:signal"))))
            #expect(lights.absences.isEmpty)
            try lights.show(.safe)
            #expect(levels() == ["1", "0", "0"])
            try lights.show(.paused)
            #expect(names.map { pattern($0).hasPrefix("1 1000") } == [true, true, false])
            try lights.show(.pending)
            #expect(names.map { pattern($0).hasPrefix("1 150") } == [false, false, true])
            try lights.show(.idle)
            #expect(levels() == ["0", "0", "0"])
            lights.close()
        }

        @Test("the medium has a light of its own")
        func medium() throws {
            let lights = try Lights(
                LightConfiguration(recording: .single(red), medium: .led("green:medium")))
            try lights.show(medium: .ready)
            #expect(levels() == ["0", "1", "0"])
            try lights.show(.safe)
            try lights.show(medium: .inUse)
            #expect(levels().first == "1" && pattern("green:medium").hasPrefix("1 1000"))
            try lights.show(medium: .absent)
            #expect(levels() == ["1", "0", "0"])
            lights.close()
        }

        @Test("a light that is not there is named, and the others work")
        func absent() throws {
            let lights = try Lights(LightConfiguration(recording: .single(red), medium: .led("green:none")))
            #expect(lights.absences.map { "\($0)" }.contains { $0.contains("green:none") })
            try lights.show(.safe)
            #expect(levels().first == "1")
            #expect(throws: Failure.self) { try lights.show(medium: .ready) }
            lights.close()
        }

        private let names = ["red:record", "green:medium", "blue:signal"]

        private func levels() -> [String] {
            // The kernel sets a light at its next tick.
            usleep(100_000)
            return names.map { SystemDirectory.line("/sys/class/leds/\($0)/brightness") ?? "" }
        }

        /// The pattern that the kernel shows by itself, as brightness and milliseconds by turns.
        private func pattern(_ name: String) -> String {
            SystemDirectory.line("/sys/class/leds/\(name)/pattern") ?? ""
        }
    }
}
