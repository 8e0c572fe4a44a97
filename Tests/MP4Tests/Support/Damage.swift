import Testing

@testable import MP4

/// A kind of damage to a good file, and the fault by which the checker must name it.
struct Damage: Sendable, CustomTestStringConvertible {
    var name: String
    var file: GoodFile
    var code: FaultCode
    var edit: @Sendable (inout BoxEditor) -> Void

    init(_ name: String, _ file: GoodFile, _ code: FaultCode, _ edit: @escaping @Sendable (inout BoxEditor) -> Void) {
        self.name = name
        self.file = file
        self.code = code
        self.edit = edit
    }

    var testDescription: String { "\(name): \(code.rawValue)" }

    /// All kinds.
    static let all = structure + tables + samples + descriptions + durations + fragments + records + texts
}

extension Damage {
    static let videoTables = "moov/trak:0/mdia/minf/stbl"
    static let audioTables = "moov/trak:1/mdia/minf/stbl"

    /// Boxes.
    static let structure: [Damage] = [
        Damage("the file is cut", .progressive, .truncated) { $0.bytes.removeLast(500) },
        Damage("three bytes are left behind the last box", .progressive, .truncated) { $0.bytes += [0, 0, 0] },
        Damage("a track is three bytes longer than it is", .progressive, .boxSize) {
            let place = $0.box("moov/trak:1")
            $0.set32(UInt32(place.size + 3), at: place.offset)
        },
        Damage("a box is smaller than its header", .progressive, .boxSize) {
            $0.set32(5, at: $0.box("moov/trak:0/mdia/hdlr").offset)
        },
        Damage("four bytes are left at the end of a box", .progressive, .boxRemainder) {
            $0.insert([1, 2, 3, 4], videoTables, $0.box(videoTables).size - 8)
        },
        Damage("a table is missing", .progressive, .boxMissing) { $0.rename("\(videoTables)/stts", to: "free") },
        Damage("the movie box is missing", .progressive, .boxMissing) { $0.rename("moov", to: "free") },
        Damage("a table is there twice", .progressive, .boxDuplicate) {
            let place = $0.box("\(videoTables)/stss")
            $0.insert(Array($0.bytes[place.offset..<place.end]), videoTables, $0.box(videoTables).size - 8)
        },
        Damage("the movie box is there twice", .progressive, .boxDuplicate) {
            let place = $0.box("moov")
            $0.bytes += Array($0.bytes[place.offset..<place.end])
        },
        Damage("a fragment's header is not its first box", .fragmented, .boxOrder) {
            $0.rename("moof/mfhd", to: "free")
        },
        Damage("media data are inside the movie box", .progressive, .boxOrder) { $0.rename("moov/udta", to: "mdat") },
        Damage("a box at the top has a name that nobody knows", .progressive, .boxUnknown) {
            $0.rename("free", to: "zzzz")
        },
        Damage("a box has a name that nobody can read", .progressive, .boxUnknown) {
            $0.set32(0x0102_0304, at: $0.box("moov/udta").offset + 4)
        },
        Damage("boxes are nested without end", .progressive, .boxDepth) {
            for depth in 0..<20 {
                let path = "moov/udta" + String(repeating: "/udta", count: depth)
                $0.insert([0, 0, 0, 8] + Array("udta".utf8), path, 0)
            }
        },
        Damage("the movie header is longer than its fields", .progressive, .boxContent) {
            $0.insert([0, 0, 0, 0], "moov/mvhd", 100)
        },
        Damage("a track header has an unknown version", .progressive, .boxContent) {
            $0.set8("moov/trak:0/tkhd", 0, 7)
        },
        Damage("the file does not say what it is", .progressive, .brand) { $0.rename("ftyp", to: "free") },
        Damage("a brand is garbage", .progressive, .brand) { $0.set32("ftyp", 8, 0x0102_0304) },
    ]

    /// Sample tables.
    static let tables: [Damage] = [
        Damage("the table of sizes counts one sample less", .progressive, .tableCount) {
            $0.add32("\(videoTables)/stsz", 8, -1)
        },
        Damage("a table counts more entries than anything holds", .progressive, .tableCount) {
            $0.set32("\(audioTables)/stco", 4, .max)
        },
        Damage("durations are given for one sample more", .progressive, .timeCount) {
            $0.add32("\(audioTables)/stts", 8, 1)
        },
        Damage("composition offsets are given for one sample less", .progressive, .compositionCount) {
            let table = "\(videoTables)/ctts"
            let last = Int($0.number32(table, 4)) - 1
            $0.add32(table, 8 + 8 * last, 1)
        },
        Damage("the last sample has no size", .progressive, .chunkCount) {
            let table = "\(audioTables)/stsz"
            let count = Int($0.number32(table, 8))
            $0.cut(4, table, 12 + 4 * (count - 1))
            $0.add32(table, 8, -1)
        },
        Damage("the chunks begin with the second one", .progressive, .chunkRuns) {
            $0.set32("\(audioTables)/stsc", 8, 2)
        },
        Damage("the chunks go back", .progressive, .chunkRuns) { $0.set32("\(audioTables)/stsc", 20, 1) },
        Damage("a chunk has no sample", .progressive, .chunkEmpty) { $0.set32("\(videoTables)/stsc", 12, 0) },
        Damage("a chunk refers to a description that there is not", .progressive, .descriptionIndex) {
            $0.set32("\(videoTables)/stsc", 16, 2)
        },
        Damage("a sync sample has the number 0", .progressive, .syncTable) { $0.set32("\(videoTables)/stss", 8, 0) },
        Damage("a sync sample lies behind the last sample", .progressive, .syncTable) {
            $0.set32("\(videoTables)/stss", 8 + 4 * 3, 5000)
        },
        Damage("there are more samples than bytes", .progressive, .sampleCount) {
            let table = "\(audioTables)/stsz"
            $0.cut($0.box(table).size - 20, table, 12)
            $0.set32(table, 4, 1)
            $0.set32(table, 8, .max)
        },
    ]

    /// Where samples lie, when they are shown, and what is in them.
    static let samples: [Damage] = [
        Damage("a chunk lies behind the end of the file", .progressive, .sampleOutside) {
            $0.set32("\(videoTables)/stco", 8, UInt32($0.bytes.count))
        },
        Damage("a chunk lies outside the media data", .progressive, .sampleOutside) {
            $0.set32("\(videoTables)/stco", 8, 0)
        },
        Damage("two chunks lie at the same place", .progressive, .sampleOverlap) {
            $0.set32("\(videoTables)/stco", 12, $0.number32("\(videoTables)/stco", 8))
        },
        Damage("a chunk begins one byte too late", .progressive, .unitLength) {
            $0.add32("\(videoTables)/stco", 12, 1)
        },
        Damage("a sample has no bytes", .progressive, .sampleSize) { $0.set32("\(audioTables)/stsz", 12 + 4 * 9, 0) },
        Damage("samples last no time", .progressive, .timeOrder) { $0.set32("\(videoTables)/stts", 12, 0) },
        Damage("a picture is shown an hour after it is decoded", .progressive, .compositionOffset) {
            $0.set32("\(videoTables)/ctts", 12, $0.number32("moov/trak:0/mdia/mdhd", 12) * 3600)
        },
        Damage("two pictures are shown at once", .progressive, .presentationTime) {
            // The second entry is that of a picture which is shown before the first one's next.
            let table = "\(videoTables)/ctts"
            let ticks = $0.number32("\(videoTables)/stts", 12)
            $0.set32(table, 20, $0.number32(table, 12) - ticks)
        },
        Damage("the bytes of a picture are zeros", .progressive, .unitLength) {
            let place = $0.chunk(0, 3)
            for index in 0..<200 { $0.bytes[place + index] = 0 }
        },
        Damage("a few bytes inside a picture are zeros", .progressive, .unitContent) {
            let place = $0.chunk(0, 3)
            for index in 40..<50 { $0.bytes[place + index] = 0 }
        },
        Damage("a NAL unit is of a kind that there is not", .progressive, .unitContent) {
            $0.bytes[$0.chunk(0, 3) + 4] = 31
        },
        Damage("a slice's header is garbage", .finished, .unitContent) {
            let place = $0.chunk(0, 1)
            for index in 5..<12 { $0.bytes[place + index] = 0x01 }
        },
        Damage("a sample has no picture", .progressive, .pictureMissing) { $0.bytes[$0.chunk(0, 3) + 4] = 12 },
        Damage("a sync sample is no IDR picture", .progressive, .syncNotKeyFrame) {
            $0.add32("\(videoTables)/stss", 12, 1)
        },
        Damage("an IDR picture is no sync sample", .progressive, .keyFrameNotSync) {
            $0.add32("\(videoTables)/stss", 12, 1)
        },
        Damage("the first picture is no IDR picture", .finished, .firstNotKeyFrame) {
            $0.bytes[$0.chunk(0, 0) + 4] = 0x61
        },
        Damage("a sample brings other parameter sets", .progressive, .parameterSetInSample) {
            // The first sample begins with a unit of the encoder's own information.
            $0.bytes[$0.chunk(0, 0) + 4] = 0x67
        },
        Damage("the bytes of a sound are zeros", .progressive, .audioContent) {
            let place = $0.chunk(1, 1)
            for index in 0..<2000 { $0.bytes[place + index] = 0 }
        },
    ]
}
