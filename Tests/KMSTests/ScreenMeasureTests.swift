import KMS
import Linux
import Media
import Testing
import ToldScreen

/// Numbers and times of which nobody could compute anything do not come out of the socket.
@Suite("What a screen's blanks may be")
struct ScreenMeasureTests {
    /// A number of a view, as it may stand there.
    struct Field: CustomTestStringConvertible {
        let name: String
        /// Its first byte in the message.
        let place: Int
        let value: UInt64
        let isRight: Bool
        var testDescription: String { "\(name) \(value)" }

        init(_ name: String, _ place: Int, _ value: UInt64, isRight: Bool = false) {
            (self.name, self.place, self.value, self.isRight) = (name, place, value, isRight)
        }

        init(_ name: String, _ place: Int, _ value: Int64, isRight: Bool = false) {
            self.init(name, place, UInt64(bitPattern: value), isRight: isRight)
        }

        /// Nanoseconds from now.
        static func time(_ nanoseconds: Int64, isRight: Bool = false) -> Field {
            Field("time", 24, (MonotonicTime.now + nanoseconds).nanoseconds, isRight: isRight)
        }

        static let all: [Field] = [
            Field("number", 16, UInt64(0), isRight: true), Field("number", 16, Int64(1) << 61, isRight: true),
            Field("number", 16, Int64(1) << 61 + 1), Field("number", 16, Int64.max), Field("number", 16, UInt64.max),
            Field("time", 24, Int64(0), isRight: true), .time(0, isRight: true), .time(1_000_000_000, isRight: true),
            .time(3_600_000_000_000), Field("time", 24, Int64(-1)), Field("time", 24, Int64.min),
            Field("time", 24, Int64.max),
            // With the denominator 1.
            Field("rate", 80, Int64(1), isRight: true), Field("rate", 80, Int64(1000), isRight: true),
            Field("rate", 80, Int64(1001)), Field("rate", 80, Int64(1) << 32), Field("rate", 80, Int64(0)),
            Field("rate", 80, Int64(-30)), Field("rate", 80, Int64.max),
            // With the numerator 30.
            Field("period", 88, Int64(30), isRight: true), Field("period", 88, Int64(31)),
            Field("period", 88, Int64(0)), Field("period", 88, Int64(-1)), Field("period", 88, UInt64.max),
        ]
    }

    private static func lit(_ refresh: FrameRate = .thirty) -> ScreenState {
        .lit(ScreenMode(connector: "HDMI-A-1", width: 640, height: 480, refresh: refresh, hasBlanks: true))
    }

    /// What a server answers to an opening and an order.
    private func answers() throws -> [[UInt8]] {
        let rig = try ScreenRig { _ in ToldScreen.Picture(Self.lit()) }
        let peer = try rig.stranger()
        let asked = try UnixSocket.pair(.packets).divide { ours, theirs in
            try ScreenClient(ours, connector: "").order(ScreenOrder())
            return RawPeer(theirs).messages()
        }
        for message in asked { peer.send(message) }
        try rig.settle()
        return peer.messages()
    }

    @Test("a blank's number, its time and the screen's rate are refused beyond their limits", arguments: Field.all)
    func limits(field: Field) throws {
        var answers = try answers()
        try #require(answers.count == 2 && answers[1].count == 104)
        for index in 0..<8 { answers[1][field.place + index] = UInt8(truncatingIfNeeded: field.value >> (8 * index)) }
        try UnixSocket.pair(.packets).divide { ours, theirs in
            let client = try ScreenClient(ours, connector: "")
            let peer = RawPeer(theirs)
            try client.order(ScreenOrder())
            for answer in answers { peer.send(answer) }
            let view = ScreenView()
            if field.isRight {
                #expect(try client.next(view))
                #expect(field.place != 16 || view.sequence == field.value)
            } else {
                let failure = #expect(throws: Failure.self) { try client.next(view) }
                #expect(failure?.kind == .noSource && failure?.cause == "kinebox-kms sends what is no answer")
                #expect(throws: Failure.self) { try client.order(ScreenOrder()) }
            }
        }
    }

    @Test("a time that is long to come is refused also where others were right before it")
    func later() throws {
        let answers = try answers()
        try UnixSocket.pair(.packets).divide { ours, theirs in
            let client = try ScreenClient(ours, connector: "")
            let peer = RawPeer(theirs)
            peer.send(answers[0])
            for (number, ahead) in [Int64(-10_000_000), 0, 10_000_000, 60_000_000_000].enumerated() {
                try client.order(ScreenOrder())
                var answer = answers[1]
                let time = (MonotonicTime.now + ahead).nanoseconds
                answer[8] = UInt8(number + 1)
                for index in 0..<8 { answer[24 + index] = UInt8(truncatingIfNeeded: time >> (8 * index)) }
                peer.send(answer)
                if number < 3 {
                    #expect(try client.next(ScreenView()))
                } else {
                    #expect(throws: Failure.self) { try client.next(ScreenView()) }
                }
            }
        }
    }

    @Test("what would be refused is not told: the client hears why")
    func untold() throws {
        let slow = try #require(FrameRate(1, 3))
        let rig = try ScreenRig { _ in ToldScreen.Picture(Self.lit(slow)) }
        let client = try rig.client()
        try client.order(ScreenOrder())
        try rig.settle()
        let failure = #expect(throws: Failure.self) { try client.next(ScreenView()) }
        #expect(failure?.cause == "its blanks are outside of all measure", "\(String(describing: failure))")
    }

    @Test("an order with the highest number of all hurts nobody")
    func farthestOrder() throws {
        let rig = try ScreenRig { _ in ToldScreen.Picture(Self.lit()) }
        let (far, good) = (try rig.client(), try rig.client())
        try far.order(ScreenOrder(sequence: .max))
        try rig.settle()
        #expect(throws: Failure.self) { try far.next(ScreenView()) }
        try rig.look(good, ScreenView())
    }
}
