import Control
import Judges
import Recorder
import Testing

@testable import kinebox

/// Each event of a recorder's life can be found in the journal and is explained there.
@Suite struct JournalMessageTests {
    private static let checkout = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }

    /// The catalog's entries: an identifier each, with what stands below it.
    private func catalog() throws -> [(identifier: String, lines: [String])] {
        let bytes = try content(of: "\(Self.checkout)/systemd/kinebox.catalog")
        var entries: [(identifier: String, lines: [String])] = []
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("-- ") {
                entries.append((String(line.dropFirst(3)), []))
            } else if !entries.isEmpty {
                entries[entries.count - 1].lines.append(String(line))
            }
        }
        return entries
    }

    @Test func theCatalogExplainsEachEventOnceAndNothingElse() throws {
        let entries = try catalog()
        #expect(entries.map(\.identifier) == JournalMessage.allCases.map(\.rawValue))
        for entry in entries {
            #expect(entry.lines.first?.hasPrefix("Subject: ") == true, "\(entry.identifier)")
            let explanation = entry.lines.drop { !$0.isEmpty }
            #expect(explanation.contains { !$0.isEmpty }, "\(entry.identifier) explains nothing")
        }
    }

    @Test(arguments: JournalMessage.allCases)
    func anIdentifierIsWhatTheJournalTakes(message: JournalMessage) {
        #expect(message.rawValue.count == 32 && message.rawValue.allSatisfy { $0.isHexDigit && !$0.isUppercase })
    }

    @Test func theCatalogNamesOnlyFieldsThatEntriesHave() throws {
        let known = Set(JournalField.allCases.map(\.rawValue))
        let pattern = #/@([A-Z_]+)@/#
        for entry in try catalog() {
            for found in entry.lines.joined(separator: " ").matches(of: pattern) {
                #expect(known.contains(String(found.1)), "\(entry.identifier): \(found.1)")
            }
        }
    }

    @Test func onlyAFailedEncoderHasTheEncodersIdentifier() {
        for kind in DeckNotice.Kind.allCases {
            for isWatched in [false, true] {
                let message = kind.message(isSourceWatched: isWatched)
                #expect((message == .encoderChanged) == (kind == .encoderChanged), "\(kind)")
            }
        }
    }

    @Test func aLostSignalHasItsIdentifierOnceWhetherOrNotTheSourceIsWatched() {
        #expect(DeckNotice.Kind.signalLost.message(isSourceWatched: false) == .signalLost)
        #expect(DeckNotice.Kind.signalFound.message(isSourceWatched: false) == .signalFound)
        #expect(DeckNotice.Kind.signalLost.message(isSourceWatched: true) == nil)
        #expect(DeckNotice.Kind.signalFound.message(isSourceWatched: true) == nil)
    }

    @Test func plainInformationIsNoWarningAndHasNoIdentifier() {
        #expect(DeckNotice.Kind.information.message(isSourceWatched: false) == nil)
        #expect(DeckNotice.Kind.information.priority == .information)
        #expect(DeckNotice.Kind.warning.message(isSourceWatched: false) == nil)
        #expect(DeckNotice.Kind.warning.priority == .warning)
    }

    @Test func anEventsEntryCarriesItsIdentifierAndItsFields() {
        let entry = JournalEntry(.recordingFailed, "Recording failed.", [.error: "MediumFull", .path: "/a"])
        #expect(entry.identifier == JournalMessage.recordingFailed.rawValue && entry.priority == .failure)
        #expect(entry.fields == [.init("KINEBOX_ERROR", "MediumFull"), .init("KINEBOX_PATH", "/a")])
    }
}
