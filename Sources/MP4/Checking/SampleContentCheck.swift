import Media

/// Looks into samples: pictures must be H.264 and keep to what the file says of them, sound must be AAC.
struct SampleContentCheck {
    private let log: FaultLog
    private let track: TrackLayout
    private let byteCount: Int64
    private let window: FileWindow
    private var pictures: PictureCheck?
    private let isSound: Bool
    /// Bytes that may still be read: samples that share bytes must not make the check read a file many times.
    private var left: Int64

    init(file: MovieFile, log: FaultLog, track: TrackLayout, isOurs: Bool, isMediaVerified: Bool) {
        self.log = log
        self.track = track
        byteCount = file.byteCount
        // Where all bytes are looked at they come in large pieces; where only the starts of NAL units are, in small ones.
        window = FileWindow(file.descriptor.raw, readahead: isMediaVerified ? 512 : 64 << 10)
        left = file.byteCount + (1 << 20)
        isSound = Self.isSound(track)
        pictures = Self.pictures(track, log, isOurs: isOurs, isMediaVerified: isMediaVerified)
    }

    private static func isSound(_ track: TrackLayout) -> Bool {
        guard track.handler == "soun", let entry = track.entry, entry.format == "mp4a" else { return false }
        return entry.stream?.objectType == 0x40
    }

    private static func pictures(
        _ track: TrackLayout, _ log: FaultLog, isOurs: Bool, isMediaVerified: Bool
    ) -> PictureCheck? {
        guard track.handler == "vide", let entry = track.entry, let avc = entry.avc,
            entry.format == "avc1" || entry.format == "avc3"
        else { return nil }
        return PictureCheck(
            log: log, track: track, configuration: avc, setsMayChange: entry.format == "avc3", isOurs: isOurs,
            isScanning: !isMediaVerified)
    }

    /// Looks into a sample. One that lies outside the file is not looked into.
    mutating func check(_ sample: Sample) {
        guard sample.size > 0, sample.offset >= 0, sample.offset <= byteCount - sample.size,
            sample.descriptionIndex == 1, left >= sample.size
        else { return }
        left -= sample.size
        do {
            if pictures != nil {
                try pictures?.check(sample, window)
            } else if isSound {
                try checkSound(sample)
            }
        } catch {
            log.report(error, in: nil)
        }
    }

    /// A raw data block begins with an element, whose number has three bits, and is never all zeros
    /// (ISO/IEC 14496-3, 4.4.2.1).
    private func checkSound(_ sample: Sample) throws(BoxFault) {
        let name = "\(track.title), sample \(sample.index + 1) at \(sample.offset)"
        let start = try window.boxBytes(at: sample.offset, count: Int(min(sample.size, 4096)))
        guard let first = start.first else { return }
        if start.allSatisfy({ $0 == 0 }) {
            log.report(.audioContent, "\(name) is nothing but zeros")
        } else if first >> 5 == 7 {
            log.report(
                .audioContent, "\(name) ends before its first element, or has a header that belongs into a stream")
        }
    }
}
