import Media

/// The chapters of a finished file, in both ways that players know: a list (`chpl`: VLC, FFmpeg and what is built on it)
/// and a text track that the picture's track refers to (QuickTime File Format, "Chapter lists": Apple's players, and also
/// the former).
enum ChapterBoxes {
    /// `chpl`, for the user data of the movie.
    static func putList(_ entries: [ChapterTable.Entry], into writer: inout ByteWriter) {
        writer.put(fullBox: "chpl", version: 1) { box in
            box.put32(0)
            box.put8(UInt8(clamping: entries.count))
            for entry in entries {
                // In units of 100 ns.
                box.put64(UInt64(clamping: entry.chapter.milliseconds) * 10_000)
                box.put8(UInt8(clamping: entry.chapter.title.utf8.count))
                box.put(text: entry.chapter.title)
            }
        }
    }

    /// The `trak` of the chapters.
    /// - Parameters:
    ///   - number: the track's number from 0; its identifier is one higher.
    ///   - creation: seconds since 1904, 0 when not known.
    ///   - duration: of the movie, in milliseconds.
    static func putTrack(
        _ entries: [ChapterTable.Entry], number: Int, creation: UInt64, duration: UInt64, into writer: inout ByteWriter
    ) {
        writer.put(box: "trak") { trak in
            MovieBoxes.putChapterHeader(number: number, creation: creation, duration: duration, into: &trak)
            trak.put(box: "mdia") { mdia in
                MovieBoxes.putMediaHeader(
                    timescale: UInt32(MovieBoxes.timescale), creation: creation, duration: duration, into: &mdia)
                MovieBoxes.putHandler("text", name: "Chapters", into: &mdia)
                mdia.put(box: "minf") { minf in
                    putTextHeader(into: &minf)
                    MovieBoxes.putDataReference(into: &minf)
                    minf.put(box: "stbl") { putTables(entries, duration: Int64(clamping: duration), into: &$0) }
                }
            }
        }
    }

    /// `gmhd`, the media header of text.
    private static func putTextHeader(into writer: inout ByteWriter) {
        writer.put(box: "gmhd") { gmhd in
            gmhd.put(fullBox: "gmin") { box in
                // How QuickTime copies a text over a picture: dithered, with grey as the colour of the operation.
                box.put16(0x40)
                for _ in 0..<3 { box.put16(0x8000) }
                box.put32(0)
            }
            gmhd.put(box: "text") { $0.putUnityMatrix() }
        }
    }

    private static func putTables(
        _ entries: [ChapterTable.Entry], duration: Int64, into writer: inout ByteWriter
    ) {
        writer.put(fullBox: "stsd") { box in
            box.put32(1)
            putDescription(into: &box)
        }
        writer.put(fullBox: "stts") { box in
            box.put32(UInt32(entries.count))
            for (index, entry) in entries.enumerated() {
                let next = index + 1 < entries.count ? entries[index + 1].chapter.milliseconds : duration
                box.put32(1)
                box.put32(UInt32(clamping: next - entry.chapter.milliseconds))
            }
        }
        writer.put(fullBox: "stsc") { box in
            for value: UInt32 in [1, 1, 1, 1] { box.put32(value) }
        }
        writer.put(fullBox: "stsz") { box in
            box.put32(0)
            box.put32(UInt32(entries.count))
            for entry in entries { box.put32(UInt32(clamping: entry.byteCount)) }
        }
        let isLong = entries.contains { $0.place > Int64(UInt32.max) }
        writer.put(fullBox: isLong ? "co64" : "stco") { box in
            box.put32(UInt32(entries.count))
            for entry in entries {
                if isLong { box.put64(UInt64(entry.place)) } else { box.put32(UInt32(clamping: entry.place)) }
            }
        }
    }

    /// A text that is shown nowhere: no flags, no place, and the first font.
    private static func putDescription(into writer: inout ByteWriter) {
        writer.put(box: "text") { box in
            box.put(repeating: 0, count: 6)
            box.put16(1)
            box.put32(1)
            box.put(repeating: 0, count: 14)
            box.put32(0)
            box.put16(1)
            box.put(repeating: 0, count: 6)
            box.put(box: "ftab") { table in
                table.put16(1)
                table.put16(1)
                table.put8(0)
            }
        }
    }
}
