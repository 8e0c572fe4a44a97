import Glibc
import KMS
import Linux
import Media
import Testing

extension BoardTests {
    /// Pictures and their blanks, while a program flips sixty times a second.
    @Suite("The pace of a screen")
    struct CardPaceTests {
        @Test(
            "of a program that takes turns in two framebuffers each second picture is another one, in the same memory",
            arguments: ["0", "8000", "13000"])
        func turns(delay: String) throws {
            try Board.control("screen", "show", "320x240")
            try Board.control("screen", "calm", "2")
            let watcher = try ScreenWatcher()
            try watcher.read()
            try Board.control("screen", "begin", "120", "1", delay)
            var known: [UInt64] = []
            for _ in 0..<40 {
                try watcher.read(ScreenOrder(sequence: watcher.view.sequence + 2, known: watcher.view.signature))
                if watcher.view.isKnown { known.append(watcher.view.sequence) }
            }
            try Board.control("screen", "wait")
            let flips = try ShownFlips()
            // Between the first flip and the last each blank shows another picture than the one before it.
            let first = try #require(flips.all[1]?.blank), last = try #require(flips.all[120]?.blank)
            let taken = known.filter { Int($0) > first + 2 && Int($0) <= last }
            // A machine that stands still at the moment of the look sees the second of the two only.
            #expect(taken.count <= 4 + flips.missedBlanks, "\(taken)")
            // Behind the last one nothing changes any more.
            try watcher.read(ScreenOrder(known: watcher.view.signature))
            for _ in 0..<5 {
                try watcher.read(ScreenOrder(sequence: watcher.view.sequence + 2, known: watcher.view.signature))
                #expect(watcher.view.isKnown && watcher.view.buffers.isEmpty)
            }
            try Board.control("screen", "stop")
        }

        @Test(
            "each picture is told with the blank from which on it is seen, and with that blank's own time",
            arguments: ["0", "2000", "8000", "13000"])
        func exact(delay: String) throws {
            try Board.control("screen", "show", "320x240")
            let watcher = try ScreenWatcher()
            try watcher.read()
            try Board.control("screen", "begin", "180", "1", delay)
            var seen: [UInt64: (number: Int, time: Int64)] = [:]
            var last: UInt64 = 0
            for _ in 0..<150 {
                try watcher.read(ScreenOrder(sequence: last + 1))
                #expect(watcher.view.sequence > last)
                last = watcher.view.sequence
                seen[last] = (try watcher.number(), watcher.view.time.nanoseconds)
            }
            try Board.control("screen", "wait")
            var (right, wrong, missing) = (0, 0, 0)
            for line in try Board.control("screen", "flips") {
                let words = line.split(separator: " ").compactMap { Int($0) }
                guard words.count == 3, words[1] <= last else { continue }
                guard let view = seen[UInt64(words[1])] else {
                    missing += 1
                    continue
                }
                if view.number == words[0] % 16 { right += 1 } else { wrong += 1 }
                #expect(Int(view.time) / 1000 == words[2] / 1000)
            }
            // A board beside other work is late now and then, and so is the program that flips.
            let outcome = "\(right) right, \(wrong) wrong, \(missing) missing"
            #expect(right + missing > 70, "\(outcome)")
            #expect(wrong * 50 <= right, "\(outcome)")
            #expect(missing < right, "\(outcome)")
            try Board.control("screen", "stop")
        }

        @Test("an order for a blank ahead is answered at that blank, and one that comes late at the next")
        func ahead() throws {
            try Board.control("screen", "show", "320x240")
            let watcher = try ScreenWatcher()
            try watcher.read()
            for distance: UInt64 in [1, 2, 5, 30] {
                let wanted = watcher.view.sequence + distance
                try watcher.read(ScreenOrder(sequence: wanted))
                #expect(watcher.view.sequence >= wanted)
            }
            // A second without orders: the next blank is one of now.
            let before = watcher.view
            let (sequence, time) = (before.sequence, before.time)
            usleep(1_000_000)
            try watcher.read(ScreenOrder(sequence: sequence + 1))
            #expect(watcher.view.sequence > sequence + 50)
            let period = try #require(watcher.mode).refresh.nanoseconds(of: 1)
            let blanks = Int64(watcher.view.sequence - sequence)
            #expect(abs(watcher.view.time - time - blanks * period) < period / 10)
            try Board.control("screen", "stop")
        }
    }
}
