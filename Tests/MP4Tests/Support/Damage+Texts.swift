@testable import MP4

extension Damage {
    private static let chapterTables = "moov/trak:2/mdia/minf/stbl"

    /// What is said about the recording, and its chapters.
    static let texts: [Damage] = [
        Damage("a text has no value", .described, .metadata) { $0.rename("moov/udta/meta/ilst/©nam/data", to: "free") },
        Damage("a value is shorter than its fields", .progressive, .metadata) {
            let item = "moov/udta/meta/ilst/©too"
            $0.cut($0.box("\(item)/data").size - 12, "\(item)/data", 0)
        },
        Damage("a text is no UTF-8", .progressive, .metadata) { $0.set8("moov/udta/meta/ilst/©too/data", 8, 0xC0) },
        Damage("the list of chapters counts one more", .described, .chapters) { $0.set8("moov/udta/chpl", 8, 5) },
        Damage("the list of chapters counts one less", .described, .chapters) { $0.set8("moov/udta/chpl", 8, 3) },
        Damage("a chapter begins before the one in front", .described, .chapters) {
            $0.set8("moov/udta/chpl", 9, 1)
        },
        Damage("the chapters are in a track that there is not", .described, .chapters) {
            $0.set32("moov/trak:0/tref/chap", 0, 9)
        },
        Damage("a track is its own list of chapters", .described, .chapters) {
            $0.set32("moov/trak:0/tref/chap", 0, 1)
        },
        Damage("a chapter's title is somewhere else", .described, .chapters) {
            $0.add32("\(chapterTables)/stco", 12, 1)
        },
        Damage("a chapter begins later than the fragments say", .described, .chapters) {
            $0.add32("\(chapterTables)/stts", 12, 1)
        },
        Damage("the track with the chapters is gone", .described, .chapters) { $0.rename("moov/trak:2", to: "free") },
    ]
}
