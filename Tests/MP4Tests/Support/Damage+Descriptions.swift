import Glibc
import Media

@testable import MP4

extension Damage {
    private static let picture = "\(videoTables)/stsd/avc1"
    private static let sound = "\(audioTables)/stsd/mp4a"
    /// The first byte of the sequence parameter set in `avcC`.
    private static let sequenceSet = 8

    /// What the file says of its tracks.
    static let descriptions: [Damage] = [
        Damage("the decoder configuration has an unknown version", .progressive, .configuration) {
            $0.set8("\(picture)/avcC", 0, 2)
        },
        Damage("the decoder configuration has no parameter set", .progressive, .configuration) {
            $0.set8("\(picture)/avcC", 5, 0xE0)
        },
        Damage("the decoder configuration is missing", .progressive, .configuration) {
            $0.rename("\(picture)/avcC", to: "free")
        },
        Damage("the configuration names another profile", .progressive, .profile) {
            $0.set8("\(picture)/avcC", 1, 110)
        },
        Damage("the configuration names another level", .progressive, .level) { $0.set8("\(picture)/avcC", 3, 51) },
        Damage("the sequence parameter set was altered", .finished, .level) {
            $0.set8("\(picture)/avcC", sequenceSet + 3, 51)
        },
        Damage("the configuration names another bit depth", .progressive, .chroma) {
            let place = $0.box("\(picture)/avcC")
            $0.bytes[place.end - 3] = 0xFA
        },
        Damage("the description has another width", .progressive, .pictureSize) {
            $0.set8(picture, 25, $0.bytes[$0.box(picture).payload + 25] &+ 16)
        },
        Damage("the track is shown without height", .progressive, .displaySize) {
            $0.set32("moov/trak:0/tkhd", 80, 0)
        },
        Damage("pixels have another shape than in the stream", .finished, .pixelAspect) {
            $0.set32("\(picture)/pasp", 0, 2)
        },
        Damage("the colour has another matrix than in the stream", .finished, .color) {
            $0.set8("\(picture)/colr", 9, 6)
        },
        Damage("the colour has another range than in the stream", .finished, .color) {
            $0.set8("\(picture)/colr", 10, 0x80)
        },
        Damage("the colour is not described", .finished, .color) { $0.rename("\(picture)/colr", to: "free") },
        Damage("a descriptor has another number", .progressive, .audioDescriptor) { $0.set8("\(sound)/esds", 4, 7) },
        Damage("the descriptors do not nest", .progressive, .audioDescriptor) {
            $0.set8("\(sound)/esds", 8, $0.bytes[$0.box("\(sound)/esds").payload + 8] &- 1)
        },
        Damage("the sound has another rate than in its configuration", .progressive, .audioFormat) {
            $0.set32(sound, 24, 44_100 << 16)
        },
        Damage("the sound has other channels than in its configuration", .finished, .audioFormat) {
            $0.set8(sound, 17, 1)
        },
        Damage("a picture track says that it is sound", .progressive, .handler) {
            $0.set32("moov/trak:0/mdia/hdlr", 8, BoxType("soun").code)
        },
        Damage("a sound track has the header of pictures", .progressive, .handler) {
            $0.rename("moov/trak:1/mdia/minf/smhd", to: "vmhd")
        },
        Damage("the samples are in another file", .progressive, .dataReference) {
            $0.set32("moov/trak:0/mdia/minf/dinf/dref/url ", 0, 0)
        },
        Damage("the description refers to another file that there is not", .progressive, .dataReference) {
            $0.set8(picture, 7, 3)
        },
        Damage("two tracks have the same number", .progressive, .trackNumber) { $0.set32("moov/trak:1/tkhd", 12, 1) },
        Damage("the next track would get a number that there is", .progressive, .trackNumber) {
            $0.set32("moov/mvhd", 96, 2)
        },
        Damage("there is no track", .progressive, .trackMissing) {
            $0.rename("moov/trak:1", to: "free")
            $0.rename("moov/trak:0", to: "free")
        },
    ]

    /// Durations.
    static let durations: [Damage] = [
        Damage("the movie has no timescale", .progressive, .timescale) { $0.set32("moov/mvhd", 12, 0) },
        Damage("a track has no timescale", .progressive, .timescale) { $0.set32("moov/trak:0/mdia/mdhd", 12, 0) },
        Damage("the movie lasts for years", .progressive, .movieDuration) { $0.set32("moov/mvhd", 16, 0x7FFF_FFFF) },
        Damage("a track lasts a second longer than its edits", .progressive, .trackDuration) {
            $0.add32("moov/trak:0/tkhd", 20, 1000)
        },
        Damage("a track lasts a second longer than its media", .finished, .trackDuration) {
            $0.add32("moov/trak:1/tkhd", 20, 1000)
        },
        Damage("the media last longer than their samples", .progressive, .mediaDuration) {
            $0.add32("moov/trak:1/mdia/mdhd", 16, 20_000)
        },
        Damage("the edits show nothing", .progressive, .editList) { $0.set32("moov/trak:0/edts/elst", 12, .max) },
        Damage("an edit shows what lies behind the media", .progressive, .editList) {
            $0.set32("moov/trak:0/edts/elst", 12, 0x10_0000)
        },
        Damage("picture and sound do not end together", .finished, .trackExtent) {
            // Sound of which each frame lasts one and a half times as long.
            $0.set32("\(audioTables)/stts", 12, 1536)
        },
    ]

    /// Fragments of any writer.
    static let fragments: [Damage] = [
        Damage("a fragment has the number of the one before", .fragmented, .fragmentSequence) {
            $0.set32("moof:1/mfhd", 4, 1)
        },
        Damage("a fragment goes back in time", .fragmented, .fragmentTime) { $0.set32("moof:2/traf/tfdt", 8, 1) },
        Damage("a fragment is for a track that there is not", .fragmented, .fragmentTrack) {
            $0.set32("moof:1/traf:1/tfhd", 4, 9)
        },
        Damage("the media of a fragment lie elsewhere", .fragmented, .sampleOutside) {
            $0.set32("moof:1/traf/trun", 8, 8)
        },
        Damage("the runs of a fragment share bytes", .fragmented, .sampleOverlap) {
            $0.set32("moof:1/traf:1/trun", 8, $0.number32("moof:1/traf:0/trun", 8))
        },
        Damage("a run counts more samples than it has", .fragmented, .boxContent) {
            $0.add32("moof:1/traf/trun", 4, 1)
        },
        Damage("the defaults of fragments are missing", .fragmented, .boxMissing) {
            $0.rename("moov/mvex", to: "free")
        },
        Damage("the index leads to another place", .fragmented, .fragmentIndex) { $0.add32("mfra/tfra", 28, 8) },
    ]

    /// What Kinebox writes for itself.
    static let records: [Damage] = [
        Damage("the recording was cut off", .unfinished, .notFinalised) { _ in },
        Damage("the final movie box is gone", .finished, .hiddenMovie) {
            $0.bytes.removeLast($0.box("moov").size)
        },
        Damage("a bit of the session record is wrong", .finished, .sessionRecord) { $0.bytes[48 + 30] ^= 1 },
        Damage("a bit of a fragment record is wrong", .finished, .fragmentRecord) {
            $0.bytes[fragment($0, 1) + 60] ^= 1
        },
        Damage("a bit of a hidden fragment is wrong", .finished, .fragmentRecord) {
            $0.bytes[fragment($0, 1) + 80 + 60] ^= 1
        },
        Damage("a bit of the description before the fragments is wrong", .finished, .fragmentRecord) {
            $0.bytes[132 + 20] ^= 1
        },
        Damage("a bit of the media is wrong", .finished, .fragmentChecksum) { $0.bytes[$0.chunk(0, 1) + 500] ^= 1 },
        Damage("a bit of the tables is wrong", .finished, .tableSeal) { $0.set8("moov/trak:0/tkhd", 7, 1) },
        Damage("a table says something else than the fragments", .finished, .fragmentTables) {
            $0.add32("\(audioTables)/stsz", 12, -1)
            $0.add32("\(audioTables)/stsz", 16, 1)
        },
        Damage("bytes lie behind the recording", .finished, .trailingBytes) {
            $0.bytes += [0, 0, 0, 8] + Array("free".utf8)
        },
    ]

    /// The place of a fragment record in a file of ours.
    private static func fragment(_ editor: BoxEditor, _ number: Int) -> Int {
        let name = Array("kinebox.fragment".utf8)
        var found = -1
        for place in 0..<(editor.bytes.count - 24) where editor.bytes[place + 8] == name[0] {
            if editor.bytes[(place + 8)..<(place + 24)].elementsEqual(name) { found += 1 }
            if found == number { return place }
        }
        return 0
    }
}
