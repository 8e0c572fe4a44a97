import Encoding
import Linux
import MP4
import Media
import Storage

/// The parts of one recording on the pipeline thread: takes packets in, keeps pictures and sound in step, cuts fragments,
/// begins new parts and decides what a slow medium means.
///
/// All times are nanoseconds from the recording's first picture.
final class PartSequence {
    /// Pictures that were thrown away since the medium was too slow.
    private(set) var discardedFrames: Int64 = 0
    /// Parts that were begun.
    private(set) var partCount = 0

    private let encoder: any VideoEncoder
    private let lanes: [AudioLane]
    private let writer: WriterThread<PartJob>
    private let queueLimit: Int
    private var shape: PartShape
    private var parameterSets: ParameterSets?
    private var current: PartBuilder?
    private var closing: ClosingPart?
    private var held: (packet: EncodedPacket, time: Int64)?
    private var plannedSplit: Int64?
    private var createdPart = 1
    private var writtenByteCount: Int64 = 0
    private var isDiscarding = false
    private var keyFrameAsked: Int64?
    private var isSplitAsked = false
    /// Whether the next picture must begin a part, since it has another shape.
    private var isReshaped = false
    /// When the part is to end without a part behind it; pictures up to there may still come.
    private var plannedPause: Int64?
    /// Between two parts: nothing is recorded.
    private(set) var isPaused = false
    /// Where the part before the pause ended.
    private var pausedFrom: Int64 = 0
    /// Where the sound of the present part begins, in samples of each track.
    private var firstSamples: [Int64]
    /// What was marked, with the times of the pictures that were seen then.
    private(set) var marks: [TakeMark] = []
    /// Marks whose picture has not come yet, in the order of their times.
    private var openMarks: [TakeMark] = []

    /// A part whose pictures are complete and that waits for its last sound.
    private struct ClosingPart {
        var builder: PartBuilder
        var end: Int64
        var samples: [Int64]
    }

    /// Sound is put into a part only this long after its pictures have passed it, since a new part may begin a little
    /// before its first picture.
    private static let soundMargin: Int64 = 25_000_000

    /// - Parameters:
    ///   - encoder: gets its packets back.
    ///   - lanes: the sound tracks.
    ///   - shape: of the pictures, and when parts begin.
    ///   - writer: the medium's writer thread.
    ///   - queueLimit: bytes that may wait for the medium.
    init(
        encoder: any VideoEncoder, lanes: [AudioLane], shape: PartShape, writer: WriterThread<PartJob>, queueLimit: Int
    ) {
        self.encoder = encoder
        self.lanes = lanes
        self.shape = shape
        self.writer = writer
        self.queueLimit = queueLimit
        firstSamples = lanes.map { _ in 0 }
    }

    /// Begins a new part as soon as that can be.
    func askForSplit() { isSplitAsked = true }

    /// Takes in what pictures are encoded as from now on.
    func change(_ format: VideoFormat) { shape.format = format }

    /// Begins a new part with the next picture, which has another shape.
    func change(_ shape: PartShape) {
        self.shape.goOn(with: shape)
        isReshaped = true
        plannedSplit = nil
    }

    /// Ends the part with the pictures that were captured up to a time; the next one begins with the first picture behind
    /// it, and what is heard in between is in neither.
    func pause(at end: Int64) {
        guard !isPaused else { return }
        plannedPause = end
        plannedSplit = nil
    }

    /// Whether a part is to end for a pause and has not yet.
    var isPausing: Bool { plannedPause != nil }

    /// Ends the part now: no picture comes any more from before the pause.
    func completePause() {
        guard let end = plannedPause else { return }
        plannedPause = nil
        (isPaused, pausedFrom) = (true, end)
        isDiscarding = false
        guard let builder = current else { return }
        appendHeld()
        closeIfComplete(force: true)
        closing = ClosingPart(builder: builder, end: end, samples: boundaries(nearest: end))
        current = nil
        closeIfComplete(force: false)
    }

    /// Whether the picture that is captured at a time must become an IDR picture: the first of a part, or the first
    /// after pictures were thrown away.
    func needsKeyFrame(at time: Int64) -> Bool {
        if isDiscarding { return asksForKeyFrame(at: time) }
        guard let current, closing == nil, plannedSplit == nil else { return false }
        let held = Int64(self.held?.packet.bytes.count ?? 0)
        let byteCount = writtenByteCount + Int64(writer.waitingByteCount + current.waitingByteCount) + held
        let isAsked = isSplitAsked
        isSplitAsked = false
        if shape.schedule.beginsPart(at: time, partByteCount: byteCount, isAsked: isAsked) {
            plannedSplit = time
            return true
        }
        createNextPart(at: time, byteCount: byteCount)
        return false
    }

    /// When a picture is needed that a source which gives only changes would not give by itself, in nanoseconds of the
    /// recording: to begin a part with, to end a fragment with, or after pictures were thrown away.
    /// - Parameters:
    ///   - newest: the time of the newest picture that was encoded.
    ///   - period: from picture to picture at most; one that is asked for as long after a fragment's end belongs behind it.
    func nextDue(after newest: Int64, period: Int64) -> Int64? {
        if isDiscarding { return hasRoom ? keyFrameAsked.map { $0 + 1_000_000_000 } ?? 0 : nil }
        guard let current else { return nil }
        var due = current.nextCut > newest ? current.nextCut + period : Int64.max
        if closing == nil, plannedSplit == nil {
            due = min(due, isSplitAsked ? 0 : shape.schedule.nextDue ?? .max)
        }
        return due == .max ? nil : due
    }

    /// Brings onto the medium what there is up to a time; after that it goes on.
    func flush(at end: Int64) {
        guard current != nil, plannedPause == nil, !isPaused else { return }
        enterMarks(before: end)
        appendHeld()
        drainSound(before: end - Self.soundMargin)
        closeIfComplete(force: true)
        if !isDiscarding, hasRoom { put(cutAt: end) }
    }

    /// Marks the picture that is seen at a time.
    func mark(_ label: String, at time: Int64) {
        let place = openMarks.firstIndex { $0.nanoseconds > time } ?? openMarks.endIndex
        openMarks.insert(TakeMark(label: label, nanoseconds: time), at: place)
    }

    /// Takes a picture in; its packet is recycled once its bytes are in a fragment.
    /// - Returns: false when it is one from before a pause that an encoder had kept until now: its part is finished.
    @discardableResult
    func take(_ packet: EncodedPacket, at time: Int64) -> Bool {
        if isPaused, time < pausedFrom {
            parameterSets = packet.parameterSets ?? parameterSets
            encoder.recycle(packet)
            return false
        }
        takeInTime(packet, at: time)
        return true
    }

    private func takeInTime(_ packet: EncodedPacket, at time: Int64) {
        enterMarks(before: time)
        if let plannedPause, time >= plannedPause { completePause() }
        if isDiscarding {
            guard packet.isKeyFrame, hasRoom else {
                discardedFrames += 1
                drainSound(before: time - Self.soundMargin)
                return encoder.recycle(packet)
            }
            isDiscarding = false
            keyFrameAsked = nil
        }
        appendHeld()
        if beginsPart(packet, at: time) {
            beginPart(with: packet, at: time)
        } else if current == nil {
            // Nothing can begin with it.
            discardedFrames += 1
            return encoder.recycle(packet)
        } else {
            drainSound(before: time - Self.soundMargin)
            if current?.isCutDue(at: time) == true { cut(at: time) }
        }
        if isDiscarding {
            discardedFrames += 1
            return encoder.recycle(packet)
        }
        held = (packet, time)
        closeIfComplete(force: closing.map { time - $0.end > 2_000_000_000 } ?? false)
    }

    /// Goes on with the sound alone when no picture comes, so that what was heard is safe too.
    /// - Parameter now: nanoseconds from the first picture to the present moment.
    func takeSoundAlone(at now: Int64) {
        let moment = now - 1_000_000_000
        if let plannedPause, plannedPause < moment { completePause() }
        if isPaused {
            drainSound(before: moment)
            closeIfComplete(force: closing.map { moment - $0.end > 1_000_000_000 } ?? false)
        }
        guard let held, let current, held.time < moment, closing == nil else { return }
        drainSound(before: moment)
        if current.isCutDue(at: moment), hasRoom { put(cutAt: held.time, dueAt: moment) }
    }

    /// Takes in what the writer thread has done.
    func take(_ progress: inout WriterProgress) {
        for (part, fragment) in progress.written {
            if part == current?.number { current?.recycle(fragment) }
            if part == closing?.builder.number { closing?.builder.recycle(fragment) }
        }
        progress.written.removeAll(keepingCapacity: true)
        if let number = current?.number { writtenByteCount = progress.finalByteCounts[number] ?? 0 }
    }

    /// Ends the last part.
    /// - Parameter end: when the last picture ends; nil when there was no picture.
    func finish(at end: Int64?) {
        enterMarks(before: .max)
        completePause()
        if let end, current != nil || closing != nil {
            appendHeld()
            drainSound(before: .max)
            closeIfComplete(force: true)
            isDiscarding = false
            if current != nil { put(cutAt: end) }
        }
        for number in stride(from: current?.number ?? 1, through: createdPart, by: 1) {
            _ = writer.put(.finalise(number), byteCount: 0)
        }
    }

    private var hasRoom: Bool {
        let waiting = writer.waitingByteCount
        return waiting == 0 || waiting + (current?.waitingByteCount ?? 0) + 65_536 <= queueLimit
    }

    /// One key frame is enough to go on; it is asked for again when it has not come after a second.
    private func asksForKeyFrame(at time: Int64) -> Bool {
        guard hasRoom, keyFrameAsked.map({ time - $0 > 1_000_000_000 }) ?? true else { return false }
        keyFrameAsked = time
        return true
    }

    /// Begins the chapters of marks whose picture is the one that is held, or has gone into a fragment already.
    private func enterMarks(before time: Int64) {
        while let mark = openMarks.first, mark.nanoseconds < time, current != nil {
            openMarks.removeFirst()
            let picture = held.map { $0.time <= mark.nanoseconds ? $0.time : mark.nanoseconds } ?? mark.nanoseconds
            marks.append(TakeMark(label: mark.label, nanoseconds: picture))
            current?.beginChapter(mark.label, at: picture)
        }
    }

    private func appendHeld() {
        guard let held else { return }
        current?.appendVideo(held.packet, at: held.time)
        encoder.recycle(held.packet)
        self.held = nil
    }

    private func beginsPart(_ packet: EncodedPacket, at time: Int64) -> Bool {
        if let sets = packet.parameterSets, sets != parameterSets { return true }
        if isReshaped || isPaused { return packet.isKeyFrame }
        guard let plannedSplit else { return false }
        return packet.isKeyFrame && time >= plannedSplit
    }

    private func beginPart(with packet: EncodedPacket, at time: Int64) {
        parameterSets = packet.parameterSets ?? parameterSets
        plannedSplit = nil
        guard let parameterSets else { return }
        let format = shape.format
        let video = VideoTrack(
            width: format.width, height: format.height, timescale: format.rate.timescale,
            parameterSets: parameterSets, color: format.color)
        let tracks = [.video(video)] + lanes.map { Track.audio($0.track) }
        var origin = time
        if current != nil || isPaused {
            closeIfComplete(force: true)
            let samples = boundaries(nearest: time)
            if let lane = lanes.first, let first = samples.first { origin = lane.track.format.nanoseconds(of: first) }
            drainSound(before: time - Self.soundMargin)
            if let builder = current { closing = ClosingPart(builder: builder, end: time, samples: samples) }
            firstSamples = samples
        }
        (isPaused, isReshaped) = (false, false)
        partCount += 1
        createdPart = max(createdPart, partCount)
        writtenByteCount = 0
        current = PartBuilder(number: partCount, tracks: tracks, origin: origin, start: time)
        _ = writer.put(.begin(partCount, tracks), byteCount: 0)
    }

    /// The boundaries between sound packets that lie nearest to a time, in samples of each track.
    private func boundaries(nearest time: Int64) -> [Int64] {
        let packet = Int64(AudioPriming.packetSamples)
        return lanes.map {
            let sample = ticks(at: time, timescale: Int64($0.track.format.rate))
            return (sample + packet / 2) / packet * packet
        }
    }

    private func drainSound(before time: Int64) {
        guard current != nil || closing != nil || isPaused else { return }
        for (lane, source) in lanes.enumerated() {
            let limit = time == .max ? Int64.max : source.track.format.samples(in: max(0, time))
            if let part = closing {
                let end = min(part.samples[lane], limit)
                while source.nextPacket(before: end, { closing?.builder.appendAudio($0, lane: lane, sample: $1) }) {}
                if source.headSample < part.samples[lane] { continue }
            }
            let start = isPaused ? limit : min(firstSamples[lane], limit)
            while source.nextPacket(before: start, { _, _ in }) {}
            while source.nextPacket(before: limit, { current?.appendAudio($0, lane: lane, sample: $1) }) {}
        }
    }

    /// Finishes the part before this one when its sound is complete, or when it must not wait any longer.
    private func closeIfComplete(force: Bool) {
        guard var part = closing else { return }
        if !force {
            for (lane, source) in lanes.enumerated() where source.headSample < part.samples[lane] { return }
        }
        closing = nil
        let samples = zip(lanes, part.samples).map { min($0.headSample, $1) }
        if let fragment = part.builder.cut(videoTime: part.end, samples: samples) {
            put(fragment, part: part.builder.number, end: part.end)
        }
        _ = writer.put(.finalise(part.builder.number), byteCount: 0)
    }

    private func cut(at time: Int64) {
        guard hasRoom else {
            isDiscarding = true
            return
        }
        put(cutAt: time)
    }

    private func put(cutAt time: Int64, dueAt moment: Int64? = nil) {
        guard let number = current?.number,
            let fragment = current?.cut(videoTime: time, samples: lanes.map(\.headSample), dueAt: moment)
        else { return }
        put(fragment, part: number, end: time)
    }

    /// Hands a fragment to the writer thread. Whether there is room was asked before; what ends a part is never refused.
    private func put(_ fragment: Fragment, part: Int, end: Int64) {
        let fits = writer.put(.append(part, fragment, end: end), byteCount: fragment.byteCount)
        if !fits { _ = writer.put(.append(part, fragment, end: end), byteCount: 0) }
    }

    /// Creates the next part's file some seconds before it is needed.
    private func createNextPart(at time: Int64, byteCount: Int64) {
        guard createdPart == partCount else { return }
        let isSoonByTime = shape.schedule.remaining(at: time).map { $0 < 5_000_000_000 } ?? false
        let isSoonBySize = shape.schedule.remainingByteCount(of: byteCount).map { $0 < 5 * shape.byteRate } ?? false
        guard isSoonByTime || isSoonBySize else { return }
        createdPart = partCount + 1
        _ = writer.put(.create(createdPart), byteCount: 0)
    }
}
