import Linux
import Media
import Testing

@testable import Capture

@Suite("A signal that holds still")
struct SignalDebounceTests {
    private func time(_ milliseconds: Int64) -> MonotonicTime {
        MonotonicTime(nanoseconds: milliseconds * 1_000_000)
    }

    private func shape(_ width: Int, _ height: Int, _ rate: FrameRate = .thirty) -> SignalState {
        .locked(SignalShape(width: width, height: height, rate: rate, isInterlaced: false))
    }

    private func settles(_ debounce: inout SignalDebounce, _ state: SignalState, _ milliseconds: Int64) -> Bool {
        debounce.settles(state, at: time(milliseconds))
    }

    @Test("two readings that are the same and 200 ms apart count, and none before")
    func two() {
        var debounce = SignalDebounce()
        #expect(!settles(&debounce, shape(1920, 1080), 0))
        #expect(debounce.nextReading(after: time(0)) == time(200))
        #expect(!settles(&debounce, shape(1920, 1080), 199))
        #expect(settles(&debounce, shape(1920, 1080), 200))
        #expect(debounce.nextReading(after: time(200)) == nil)
        #expect(settles(&debounce, shape(1920, 1080), 300))
    }

    @Test("sizes that a receiver shows on its way never count")
    func way() {
        var debounce = SignalDebounce()
        #expect(!settles(&debounce, .noLock, 0))
        #expect(!settles(&debounce, shape(2560, 735), 150))
        #expect(!settles(&debounce, shape(1920, 1080), 300))
        #expect(!settles(&debounce, shape(1920, 1080), 400))
        #expect(settles(&debounce, shape(1920, 1080), 500))
    }

    @Test("a change that the device told of in between begins anew, though both readings are the same")
    func disturbed() {
        var debounce = SignalDebounce()
        #expect(!settles(&debounce, shape(1920, 1080), 0))
        debounce.disturb()
        #expect(!settles(&debounce, shape(1920, 1080), 210))
        #expect(settles(&debounce, shape(1920, 1080), 410))
    }

    @Test("a signal that flaps every 150 ms never counts")
    func flapping() {
        var debounce = SignalDebounce()
        for round in 0..<100 as Range<Int64> {
            let state = round % 2 == 0 ? shape(1280, 720) : .noCable
            #expect(!settles(&debounce, state, round * 150))
            #expect(!settles(&debounce, state, round * 150 + 149))
        }
    }

    @Test("a rate that is measured a little otherwise each time is the same; 59.94 is not 60")
    func rates() throws {
        let measured = try [59_789, 59_790, 59_800].map { shape(1366, 768, try #require(FrameRate($0, 1000))) }
        #expect(measured[0].isSame(as: measured[1]) && measured[0].isSame(as: measured[2]))
        let film = shape(1920, 1080, try #require(FrameRate(60000, 1001)))
        #expect(!film.isSame(as: shape(1920, 1080, try #require(FrameRate(60)))))
        #expect(SignalState.locked(nil).isSame(as: .locked(nil)))
        #expect(!SignalState.locked(nil).isSame(as: film))
        #expect(!SignalState.noCable.isSame(as: .noLock))
    }

    @Test("each state that is no picture has its own words: the thing, the cause and the mend")
    func words() {
        let interlaced = SignalState.locked(
            SignalShape(width: 1920, height: 1080, rate: .thirty, isInterlaced: true))
        let states: [SignalState] = [
            .noCable, .noSignal, .noLock, .outOfRange, .unplugged, .off, .noScreen, .unreadable("it is compressed"),
            interlaced,
        ]
        let failures = states.compactMap { $0.failure(of: "HDMI (i2c-10)") }
        #expect(failures.count == states.count)
        #expect(Set(failures.map(\.cause)).count == states.count && Set(failures.map(\.mend)).count == states.count)
        #expect(failures.allSatisfy { $0.thing == "cannot record from HDMI (i2c-10)" && !$0.mend.isEmpty })
        #expect(Set(states.map(\.slateText)).count == states.count)
        #expect(shape(1920, 1080).failure(of: "HDMI") == nil)
    }
}
