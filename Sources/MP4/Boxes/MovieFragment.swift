import Media

/// The `moof` of a fragment (ISO/IEC 14496-12, 8.8.4): which samples of which track lie in the `mdat` behind it.
enum MovieFragment {
    /// Bytes of the `moof`.
    static func byteCount(of runs: some Collection<SampleRun>, _ chapters: [Chapter]) -> Int {
        runs.reduce(24 + ChapterRecord.byteCount(of: chapters)) {
            $0 + ($1.entries.isEmpty ? 0 : RunShape($1).byteCount)
        }
    }

    /// Puts the `moof`.
    /// - Parameters:
    ///   - runs: the samples of each track; the media bytes of the first track come first in the `mdat`.
    ///   - chapters: those that begin in the fragment.
    ///   - sequence: the fragment's number, from 1.
    static func put(
        _ runs: some Collection<SampleRun>, _ chapters: [Chapter], sequence: UInt32, into writer: inout ByteWriter
    ) {
        let size = byteCount(of: runs, chapters)
        writer.put(box: "moof") { moof in
            moof.put(fullBox: "mfhd") { $0.put32(sequence) }
            var place = size + 8
            for (track, run) in runs.enumerated() where !run.entries.isEmpty {
                put(run, track: track, place: place, into: &moof)
                place += run.byteCount
            }
            ChapterRecord.put(chapters, into: &moof)
        }
    }

    private static func put(_ run: SampleRun, track: Int, place: Int, into writer: inout ByteWriter) {
        let shape = RunShape(run)
        writer.put(box: "traf") { traf in
            traf.put(fullBox: "tfhd", flags: shape.headerFlags) { box in
                box.put32(UInt32(track + 1))
                if let first = run.entries.first, !shape.hasDurations { box.put32(first.duration) }
                if shape.isAllSync { box.put32(SampleFlags.sync) }
            }
            traf.put(fullBox: "tfdt", version: 1) { $0.put64(UInt64(run.baseTime)) }
            traf.put(fullBox: "trun", flags: shape.runFlags) { box in
                box.put32(UInt32(run.entries.count))
                box.put32(UInt32(place))
                if shape.hasFirstFlags { box.put32(SampleFlags.sync) }
                for entry in run.entries {
                    if shape.hasDurations { box.put32(entry.duration) }
                    box.put32(UInt32(entry.size))
                    if shape.hasFlags { box.put32(entry.isSync ? SampleFlags.sync : SampleFlags.dependent) }
                }
            }
        }
    }
}

/// Whether a player can start with a sample (ISO/IEC 14496-12, 8.8.3.1).
enum SampleFlags {
    /// It depends on no other sample.
    static let sync: UInt32 = 0x0200_0000
    /// It depends on others, and is no sync sample.
    static let dependent: UInt32 = 0x0101_0000
    /// The bit that says that a sample is no sync sample.
    static let isNotSync: UInt32 = 0x0001_0000
}

/// What must be said of each sample of a run, and what can be said once.
private struct RunShape {
    /// Samples last differently long.
    private(set) var hasDurations = false
    /// Every sample is a sync sample.
    private(set) var isAllSync = false
    /// The first sample is a sync sample and no other is.
    private(set) var hasFirstFlags = false
    /// Sync samples lie elsewhere.
    private(set) var hasFlags = false
    private let count: Int

    init(_ run: SampleRun) {
        count = run.entries.count
        guard let first = run.entries.first else { return }
        var syncCount = 0
        for entry in run.entries {
            if entry.duration != first.duration { hasDurations = true }
            if entry.isSync { syncCount += 1 }
        }
        isAllSync = syncCount == count
        hasFirstFlags = !isAllSync && first.isSync && syncCount == 1
        hasFlags = !isAllSync && !hasFirstFlags && syncCount > 0
    }

    /// default-base-is-moof, and the defaults that are enough (default-sample-duration, default-sample-flags).
    var headerFlags: UInt32 { 0x02_0000 | (hasDurations ? 0 : 0x08) | (isAllSync ? 0x20 : 0) }

    /// data-offset-present and sample-size-present, and what else must be said.
    var runFlags: UInt32 {
        0x201 | (hasFirstFlags ? 0x04 : 0) | (hasDurations ? 0x100 : 0) | (hasFlags ? 0x400 : 0)
    }

    /// Bytes of the `traf`.
    var byteCount: Int {
        let header = 16 + (hasDurations ? 0 : 4) + (isAllSync ? 4 : 0)
        let perSample = 4 + (hasDurations ? 4 : 0) + (hasFlags ? 4 : 0)
        return 8 + header + 20 + 20 + (hasFirstFlags ? 4 : 0) + perSample * count
    }
}
