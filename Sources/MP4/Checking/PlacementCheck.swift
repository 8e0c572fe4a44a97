/// Checks that the samples of the tables lie inside media data boxes and that no two share a byte. The tracks' samples are
/// met in the order of the file, all tracks side by side, so that memory does not grow with the file.
struct PlacementCheck {
    /// The most extents that are put in order in memory, for tracks whose chunks lie back and forth: 12 MB.
    private static let mostSorted = 500_000
    private let descriptor: Int32
    private let log: FaultLog
    private let tracks: [TrackLayout]
    private let byteCount: Int64
    private var room = mostSorted

    /// - Parameter tracks: those whose samples can be walked.
    init(_ descriptor: Int32, _ log: FaultLog, _ tracks: [TrackLayout], byteCount: Int64) {
        self.descriptor = descriptor
        self.log = log
        self.tracks = tracks
        self.byteCount = byteCount
    }

    mutating func check() {
        do {
            var lanes: [Lane] = []
            for track in tracks {
                guard var lane = try lane(track) else { return }
                lane.head = try lane.source.next()
                lanes.append(lane)
            }
            try merge(&lanes)
        } catch {
            log.report(error, in: nil)
        }
    }

    /// The extents of a track in the order of the file.
    private struct Lane {
        enum Source {
            case rising(ExtentCursor)
            case sorted([Extent], next: Int)

            mutating func next() throws(BoxFault) -> Extent? {
                switch self {
                case .rising(var cursor):
                    let extent = try cursor.next()
                    self = .rising(cursor)
                    return extent
                case .sorted(let extents, let next):
                    guard next < extents.count else { return nil }
                    self = .sorted(extents, next: next + 1)
                    return extents[next]
                }
            }
        }

        var title: String
        var source: Source
        var head: Extent?
    }

    private mutating func lane(_ track: TrackLayout) throws(BoxFault) -> Lane? {
        var cursor = try ExtentCursor(descriptor, track.tables)
        var last: Int64 = 0
        var isRising = true
        while isRising, let extent = try cursor.next() {
            isRising = extent.start >= last
            last = extent.start
        }
        let fresh = try ExtentCursor(descriptor, track.tables)
        guard !isRising else { return Lane(title: track.title, source: .rising(fresh)) }
        var extents: [Extent] = []
        cursor = fresh
        while let extent = try cursor.next() {
            guard room > 0 else {
                log.report(.chunkOrder, "\(track.title): chunks lie back and forth in the file too often to be judged")
                return nil
            }
            room -= 1
            extents.append(extent)
        }
        extents.sort { $0.start < $1.start }
        return Lane(title: track.title, source: .sorted(extents, next: 0))
    }

    private func merge(_ lanes: inout [Lane]) throws(BoxFault) {
        var boxes = BoxSequence(FileWindow(descriptor, readahead: 64), from: 0, to: byteCount, isTop: true)
        var data: BoxHeader?
        var last: (lane: Int, extent: Extent)?
        while let lane = Self.lowest(lanes), let extent = lanes[lane].head {
            lanes[lane].head = try lanes[lane].source.next()
            if let last, extent.start < last.extent.end {
                log.report(
                    .sampleOverlap,
                    "\(lanes[lane].title): bytes of sample \(extent.sample + 1) or behind at \(extent.start) are also those of "
                        + "\(lanes[last.lane].title), sample \(last.extent.sample + 1) or behind, which end at \(last.extent.end)"
                )
            }
            while extent.start >= data?.end ?? 0, let box = try? boxes.next() {
                if box.type == "mdat" { data = box }
            }
            if let data, extent.start >= data.payload, extent.end <= data.end {
                // Inside.
            } else {
                let place = data.map { "\($0.name), which ends at \($0.end)" } ?? "any, for there is no 'mdat' there"
                log.report(
                    .sampleOutside,
                    "\(lanes[lane].title): sample \(extent.sample + 1) or behind, at \(extent.start) to \(extent.end), lies "
                        + "outside \(place)")
            }
            if extent.end > last?.extent.end ?? 0 { last = (lane, extent) }
        }
    }

    private static func lowest(_ lanes: [Lane]) -> Int? {
        var result: Int?
        var lowest = Int64.max
        for (index, lane) in lanes.enumerated() {
            if let head = lane.head, head.start < lowest { (result, lowest) = (index, head.start) }
        }
        return result
    }
}
