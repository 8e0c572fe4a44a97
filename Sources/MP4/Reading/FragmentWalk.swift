import Media

/// Steps over the runs of all movie fragments in a part of a file, in the order of the file.
struct FragmentWalk {
    /// Why the walk cannot go on, or what it passed over.
    enum Trouble: Error {
        /// Bytes that are no box; with the box that encloses them.
        case box(BoxFault, in: BoxHeader?)
        /// A box whose fields are malformed.
        case content(BoxHeader, String)
    }

    private let window: FileWindow
    private let tracks: [(id: UInt32, defaults: FragmentDefaults)]
    private var top: BoxSequence
    private var fragment: BoxHeader?
    private var trackFragments: BoxSequence?
    private var runs: BoxSequence?
    private var trackFragment: BoxHeader?
    private var header = TrackFragmentHeader()
    private var nextData: Int64 = 0
    private var isFirstRun = true
    /// What data offsets of the present track fragment count from.
    private var dataBase: Int64 = 0

    /// - Parameters:
    ///   - window: the file; results stay valid when it moves.
    ///   - tracks: the movie's tracks.
    ///   - offset: where a box begins.
    ///   - limit: where the last box must end.
    init(_ window: FileWindow, _ tracks: [TrackLayout], from offset: Int64, to limit: Int64) {
        self.window = window
        self.tracks = tracks.map { ($0.id, $0.defaults) }
        top = BoxSequence(window, from: offset, to: limit, isTop: true)
    }

    /// The next run with samples; nil behind the last fragment. Its `dataEnd` is known.
    mutating func next() throws(Trouble) -> FragmentRun? {
        while true {
            if let box = try nextBox(&runs, in: trackFragment) {
                guard box.type == "trun" else { continue }
                guard let run = try read(box) else { continue }
                return run
            }
            runs = nil
            if let box = try nextBox(&trackFragments, in: fragment) {
                if box.type == "traf" { try enter(box) }
                continue
            }
            trackFragments = nil
            do {
                guard let box = try top.next() else { return nil }
                guard box.type == "moof" else { continue }
                fragment = box
                nextData = box.offset
                trackFragments = BoxSequence(window, inside: box)
            } catch {
                throw .box(error, in: nil)
            }
        }
    }

    private func nextBox(_ boxes: inout BoxSequence?, in parent: BoxHeader?) throws(Trouble) -> BoxHeader? {
        do {
            return try boxes?.next()
        } catch {
            throw .box(error, in: parent)
        }
    }

    private mutating func enter(_ box: BoxHeader) throws(Trouble) {
        let boxes = box.firstChildren(["tfhd", "tfdt"], window)
        guard let headerBox = boxes["tfhd"] else { throw .content(box, "has no 'tfhd'") }
        let fields = try content(of: headerBox, in: box, limit: 256)
        header = try checked(headerBox) { () throws(ContentFault) in try TrackFragmentHeader(fields) }
        header.trackIndex = tracks.firstIndex { $0.id == header.trackID }
        if let index = header.trackIndex { header.inherit(tracks[index].defaults) }
        if let timeBox = boxes["tfdt"] {
            let fields = try content(of: timeBox, in: box, limit: 256)
            header.startTime = try checked(timeBox) { () throws(ContentFault) in try TrackFragmentHeader.time(fields) }
        }
        trackFragment = box
        runs = BoxSequence(window, inside: box)
        isFirstRun = true
        if let base = header.base {
            nextData = base
        } else if header.baseIsFragment, let fragment {
            nextData = fragment.offset
        }
        dataBase = nextData
    }

    private mutating func read(_ box: BoxHeader) throws(Trouble) -> FragmentRun? {
        guard let fragment else { return nil }
        let fields = try content(of: box, in: trackFragment, limit: 16)
        let (base, next, header) = (dataBase, nextData, header)
        var run = try checked(box) { () throws(ContentFault) in
            try header.run(box, fragment, fields, dataBase: base, nextData: next)
        }
        if isFirstRun { run.startTime = header.startTime }
        isFirstRun = false
        do {
            run.dataEnd = try end(of: run)
        } catch {
            throw .box(error, in: box)
        }
        nextData = run.dataEnd
        return run
    }

    private func content(
        of box: BoxHeader, in parent: BoxHeader?, limit: Int
    ) throws(Trouble) -> UnsafeRawBufferPointer {
        do {
            return try box.content(window, limit: limit)
        } catch {
            throw .box(error, in: parent)
        }
    }

    private func checked<Value>(
        _ box: BoxHeader, _ body: () throws(ContentFault) -> Value
    ) throws(Trouble) -> Value {
        do {
            return try body()
        } catch {
            throw .content(box, error.reason)
        }
    }

    private func end(of run: FragmentRun) throws(BoxFault) -> Int64 {
        // A sum of sizes that no file has is held far behind any end, so that it cannot overflow.
        guard run.fields & 0x200 != 0 else {
            let (total, overflow) = Int64(run.count).multipliedReportingOverflow(by: Int64(run.defaults.size))
            return overflow ? 1 << 62 : min(run.dataOffset + min(total, 1 << 61), 1 << 62)
        }
        var place = run.dataOffset
        var samples = FragmentRunCursor(run, window)
        while let sample = try samples.next() { place = min(place + Int64(sample.size), 1 << 62) }
        return place
    }
}
