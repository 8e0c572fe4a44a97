/// How the headers of a fragment are laid out.
enum FragmentLayout {
    /// Bytes of the fragment record.
    static let recordByteCount = 80

    /// Bytes of the record, the `moof` and the header of the `mdat`.
    static func headerByteCount(of runs: [SampleRun]) -> Int {
        recordByteCount + 8
    }
}

extension SampleRun {
    /// The time at which the track goes on behind the run.
    var endTime: Int64 { entries.reduce(baseTime) { $0 + Int64($1.duration) } }
}
