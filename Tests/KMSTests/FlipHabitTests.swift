import Testing

@testable import KMS

@Suite("When pictures are put up")
struct FlipHabitTests {
    private let period: Int64 = 16_000_000

    @Test("as long as nothing is known one look is taken, right before the blank")
    func unknown() {
        let habit = FlipHabit()
        #expect(!habit.looksTwice)
        #expect(habit.firstLead(period) == 1_000_000)
        #expect(FlipHabit.lastLead(period) == 1_000_000)
    }

    @Test("a change behind a blank tells of a prompt program: its pictures are read half a period ahead")
    func prompt() {
        var habit = FlipHabit()
        habit.note(.behind)
        #expect(habit.isPrompt)
        #expect(habit.firstLead(period) == 8_000_000)
        for _ in 0..<100 { habit.note(nil) }
        #expect(habit.isPrompt)
    }

    @Test("a program that is late now and then stays what it mostly is")
    func mostly() {
        var prompt = FlipHabit()
        var late = FlipHabit()
        for number in 0..<200 {
            prompt.note(number % 20 == 7 ? .between : .behind)
            late.note(number % 20 == 7 ? .behind : .between)
            if number > 8 {
                #expect(prompt.isPrompt)
                #expect(late.isLate)
            }
        }
    }

    @Test("where changes come in the second half alone one look is enough in the end")
    func late() {
        var habit = FlipHabit()
        habit.note(.behind)
        for _ in 0..<9 { habit.note(.between) }
        #expect(habit.isLate)
        #expect(!habit.looksTwice)
        habit.note(.behind)
        #expect(habit.looksTwice)
        #expect(!habit.isPrompt)
    }

    @Test("a look that was late makes two of each for a second")
    func lateness() {
        var habit = FlipHabit()
        habit.noteLateness()
        #expect(habit.looksTwice)
        #expect(!habit.isPrompt)
        for _ in 0..<60 { habit.note(nil) }
        #expect(!habit.looksTwice)
    }

    @Test("of fast screens the last look is no more than half a period ahead", arguments: [1_000_000, 4_000_000])
    func fast(period: Int64) {
        #expect(FlipHabit.lastLead(period) <= period / 2)
        #expect(FlipHabit.lastLead(period) > 0)
    }
}
