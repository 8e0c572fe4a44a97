import Media

/// The boxes of a `moov` that say something of the whole file and of its tracks (ISO/IEC 14496-12, 8.2 to 8.5).
enum MovieBoxes {
    /// Ticks a second of the durations in `mvhd` and `tkhd`.
    static let timescale: Int64 = 1000

    /// `mvhd`.
    /// - Parameters:
    ///   - creation: seconds since 1904, 0 when not known.
    ///   - duration: in ticks of `timescale`.
    static func putMovieHeader(creation: UInt64, duration: UInt64, trackCount: Int, into writer: inout ByteWriter) {
        let isLong = creation > UInt32.max || duration > UInt32.max
        writer.put(fullBox: "mvhd", version: isLong ? 1 : 0) { box in
            box.put(creation, isLong)
            box.put(creation, isLong)
            box.put32(UInt32(timescale))
            box.put(duration, isLong)
            box.put32(1 << 16)
            box.put16(1 << 8)
            box.put(repeating: 0, count: 10)
            box.putUnityMatrix()
            box.put(repeating: 0, count: 24)
            box.put32(UInt32(trackCount + 1))
        }
    }

    /// `trak`, complete but for the sample tables that follow the sample description.
    /// - Parameters:
    ///   - number: the track's number from 0; its identifier is one higher.
    ///   - isEnabled: a player plays it if nobody chooses otherwise.
    ///   - movieDuration: in ticks of the movie's timescale.
    ///   - mediaDuration: in ticks of the track's timescale.
    ///   - tables: bytes of the tables.
    ///   - chapters: the identifier of the track with the chapters of this one; nil where there is none.
    static func putTrack(
        _ track: TrackDescription, number: Int, isEnabled: Bool, creation: UInt64, movieDuration: UInt64,
        mediaDuration: UInt64, sampleEntry: [UInt8], tables: Int, chapters: UInt32? = nil,
        into writer: inout ByteWriter
    ) {
        writer.put(box: "trak", following: tables) { trak in
            putTrackHeader(
                track, number: number, isEnabled: isEnabled, creation: creation, duration: movieDuration, into: &trak)
            if let chapters {
                trak.put(box: "tref") { tref in tref.put(box: "chap") { $0.put32(chapters) } }
            }
            trak.put(box: "mdia", following: tables) { mdia in
                putMediaHeader(
                    timescale: track.timescale, creation: creation, duration: mediaDuration, into: &mdia)
                putHandler(track.isVideo ? "vide" : "soun", name: track.name, into: &mdia)
                mdia.put(box: "minf", following: tables) { minf in
                    putMediaInformation(track, into: &minf)
                    minf.put(box: "stbl", following: tables) { stbl in
                        stbl.put(fullBox: "stsd") { box in
                            box.put32(1)
                            box.put(sampleEntry)
                        }
                    }
                }
            }
        }
    }

    private static func putTrackHeader(
        _ track: TrackDescription, number: Int, isEnabled: Bool, creation: UInt64, duration: UInt64,
        into writer: inout ByteWriter
    ) {
        let isLong = creation > UInt32.max || duration > UInt32.max
        writer.put(fullBox: "tkhd", version: isLong ? 1 : 0, flags: isEnabled ? 3 : 2) { box in
            box.put(creation, isLong)
            box.put(creation, isLong)
            box.put32(UInt32(number + 1))
            box.put32(0)
            box.put(duration, isLong)
            box.put(repeating: 0, count: 8)
            box.put16(0)
            // Sound tracks are alternatives of which a player plays one.
            box.put16(track.isVideo ? 0 : 1)
            box.put16(track.isVideo ? 0 : 1 << 8)
            box.put16(0)
            box.putUnityMatrix()
            box.put32(UInt32(clamping: track.width) << 16)
            box.put32(UInt32(clamping: track.height) << 16)
        }
    }

    /// `tkhd` of the track with the chapters, which is seen nowhere and never played by itself.
    /// - Parameters:
    ///   - number: the track's number from 0; its identifier is one higher.
    ///   - creation: seconds since 1904, 0 when not known.
    ///   - duration: in ticks of `timescale`.
    static func putChapterHeader(number: Int, creation: UInt64, duration: UInt64, into writer: inout ByteWriter) {
        let isLong = creation > UInt32.max || duration > UInt32.max
        writer.put(fullBox: "tkhd", version: isLong ? 1 : 0, flags: 2) { box in
            box.put(creation, isLong)
            box.put(creation, isLong)
            box.put32(UInt32(number + 1))
            box.put32(0)
            box.put(duration, isLong)
            box.put(repeating: 0, count: 16)
            box.putUnityMatrix()
            box.put(repeating: 0, count: 8)
        }
    }

    /// `hdlr` of a track.
    static func putHandler(_ kind: BoxType, name: String, into writer: inout ByteWriter) {
        writer.put(fullBox: "hdlr") { box in
            box.put32(0)
            box.put32(kind.code)
            box.put(repeating: 0, count: 12)
            box.put(text: name)
            box.put8(0)
        }
    }

    /// `mdhd`.
    static func putMediaHeader(
        timescale: UInt32, creation: UInt64, duration: UInt64, into writer: inout ByteWriter
    ) {
        let isLong = creation > UInt32.max || duration > UInt32.max
        writer.put(fullBox: "mdhd", version: isLong ? 1 : 0) { box in
            box.put(creation, isLong)
            box.put(creation, isLong)
            box.put32(timescale)
            box.put(duration, isLong)
            // The language "und", undetermined.
            box.put16(0x55C4)
            box.put16(0)
        }
    }

    private static func putMediaInformation(_ track: TrackDescription, into writer: inout ByteWriter) {
        if track.isVideo {
            writer.put(fullBox: "vmhd", flags: 1) { $0.put(repeating: 0, count: 8) }
        } else {
            writer.put(fullBox: "smhd") { $0.put32(0) }
        }
        putDataReference(into: &writer)
    }

    /// `dinf`.
    static func putDataReference(into writer: inout ByteWriter) {
        writer.put(box: "dinf") { dinf in
            dinf.put(fullBox: "dref") { box in
                box.put32(1)
                // The samples are in this file.
                box.put(fullBox: "url ", flags: 1) { _ in }
            }
        }
    }
}

extension ByteWriter {
    /// Puts a number in 64 bits or in 32.
    fileprivate mutating func put(_ value: UInt64, _ isLong: Bool) {
        if isLong { put64(value) } else { put32(UInt32(clamping: value)) }
    }

    /// Puts the matrix that leaves a picture as it is.
    mutating func putUnityMatrix() {
        for value: UInt32 in [0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000] { put32(value) }
    }
}
