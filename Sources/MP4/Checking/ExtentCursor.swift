/// Bytes of samples that lie one behind the other.
struct Extent {
    /// The place of the first byte.
    var start: Int64
    /// The place of the first byte behind.
    var end: Int64
    /// The number of the first sample, from 0.
    var sample: Int64
}

/// Joins the samples of a track, which lie one behind the other in chunks, into extents.
struct ExtentCursor {
    private var samples: TableSampleCursor
    private var waiting: Sample?
    private var isStarted = false

    init(_ descriptor: Int32, _ tables: SampleTables) throws(BoxFault) {
        samples = try TableSampleCursor(descriptor, tables)
    }

    /// The next extent, in the order of samples; nil behind the last one. Samples without bytes are passed over.
    mutating func next() throws(BoxFault) -> Extent? {
        if !isStarted {
            isStarted = true
            waiting = try samples.next()
        }
        guard let first = waiting else { return nil }
        var extent = Extent(start: first.offset, end: first.end, sample: first.index)
        waiting = nil
        while let sample = try samples.next() {
            // A chunk's bytes are one piece, and chunks that follow one another are one piece too.
            guard sample.offset == extent.end, extent.end >= extent.start else {
                waiting = sample
                break
            }
            extent.end = sample.end
        }
        return extent
    }
}
