import Media
import Testing

/// The table of errors that people learn: exit codes and blinks.
@Suite struct FailureKindTests {
    @Test(arguments: [
        ("NoMedium", 4, 1), ("MediumFull", 4, 2), ("MediumTooSlow", 4, 3), ("NoSignal", 3, 4), ("NoSource", 3, 4),
        ("MediumReadOnly", 4, 5), ("MediumFailed", 4, 5), ("EncoderFailed", 1, 6), ("ClockFailed", 1, 6),
        ("Internal", 1, 6),
    ])
    func blinkingFailure(name: String, exit: Int32, blinks: Int) throws {
        let kind = try #require(FailureKind(rawValue: name))
        #expect(kind.exitCode == exit)
        #expect(kind.blinks == blinks)
    }

    @Test(arguments: [
        ("AlreadyRecording", 1), ("NotRecording", 1), ("Busy", 1), ("NotAuthorised", 1), ("InvalidName", 2),
        ("InvalidValue", 2), ("FileExists", 1), ("NotARecording", 1), ("Damaged", 1),
    ])
    func silentFailure(name: String, exit: Int32) throws {
        let kind = try #require(FailureKind(rawValue: name))
        #expect(kind.exitCode == exit)
        #expect(kind.blinks == nil)
    }

    @Test func everyKindIsInOneOfTheTables() {
        #expect(FailureKind.allCases.filter { $0.blinks != nil }.count == 10)
        #expect(FailureKind.allCases.filter { $0.blinks == nil }.count == 9)
    }
}
