/// The samples of one track in one fragment: a chunk of the file.
struct SampleRun: Sendable {
    /// The time of the first sample in ticks from the start of the part.
    var baseTime: Int64 = 0
    /// The samples in the order of their bytes.
    var entries: [SampleEntry] = []
    /// The bytes of all samples together.
    var byteCount = 0

    /// The time at which the track goes on behind the run.
    var endTime: Int64 { entries.reduce(baseTime) { $0 + Int64($1.duration) } }

    /// Forgets the samples and keeps their memory.
    mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
        byteCount = 0
    }
}
