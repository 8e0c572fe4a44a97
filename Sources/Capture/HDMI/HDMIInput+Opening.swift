import Glibc
import Linux
import Media
import V4L2

extension HDMIInput {
    /// How long a source may take to read a new EDID and to send what it says.
    private static let newEDIDPatience: Int64 = 3_000_000_000
    /// How long a signal that never holds still is waited for.
    private static let flappingPatience: Int64 = 3_000_000_000
    /// How long an input takes its hot-plug line away (HDMI 1.4, 8.5: at least 100 ms), in microseconds.
    private static let hotPlugMicroseconds: UInt32 = 100_000

    /// Waits for a signal. One that is there has not held still yet: `settle` waits for that, so that a recorder can get
    /// ready meanwhile.
    /// - Parameter isNew: whether the source was just shown another EDID, and has to make up its mind.
    /// - Throws: `Failure` of kind noSignal or noSource that tells why there is none.
    static func awaitSignal(
        _ watch: SignalWatch, _ node: CaptureNode, isNew: Bool
    ) throws(Failure) -> V4L2Receiver.Reading {
        if isNew { usleep(hotPlugMicroseconds) }
        do {
            try watch.attach(node.receiver)
        } catch {
            throw V4L2Failure.using(node.device, "wait for", error)
        }
        let limit = MonotonicTime.now + (isNew ? newEDIDPatience : 0)
        while true {
            let finding = watch.look()
            let state = finding.reading.state
            if state.isLocked && state.shape?.isInterlaced != true { return finding.reading }
            if finding.isSettled {
                if finding.time > limit, let failure = state.failure(of: node.device.name) { throw failure }
                watch.look(after: SignalWatch.alert)
            }
            watch.wait()
        }
    }

    /// Waits until the signal holds still: 200 ms from when it was first read, so that often nothing is left to wait for.
    /// - Throws: `Failure` of kind noSignal or noSource when there is none any more.
    static func settle(_ watch: SignalWatch, _ node: CaptureNode) throws(Failure) -> V4L2Receiver.Reading {
        let limit = MonotonicTime.now + flappingPatience
        while true {
            let finding = watch.look()
            var state = finding.reading.state
            if finding.time > limit && state.isLocked { state = .noLock }
            // A camera has nothing that could hold still.
            if finding.isSettled || state == .locked(nil) || finding.time > limit {
                if let failure = state.failure(of: node.device.name) { throw failure }
                return finding.reading
            }
            watch.wait()
        }
    }

    /// What a device is set to, for what comes in.
    typealias SetUp = (reading: V4L2Receiver.Reading, setting: CaptureSetting)

    /// Sets a device up for what comes in.
    static func setUp(
        _ watch: SignalWatch, _ node: CaptureNode, _ wish: CaptureNode.Wish, isNew: Bool
    ) throws(Failure) -> SetUp {
        let reading = try awaitSignal(watch, node, isNew: isNew)
        do throws(Failure) {
            return try setUp(node, wish, reading)
        } catch {
            // While a receiver locks onto a signal it shows sizes that are none.
            return try setUp(node, wish, try settle(watch, node))
        }
    }

    static func setUp(
        _ node: CaptureNode, _ wish: CaptureNode.Wish, _ reading: V4L2Receiver.Reading
    ) throws(Failure) -> SetUp {
        try node.use(reading)
        guard let first = try node.offers(wish, reading.state.shape).first else { throw nothing(node.device.name) }
        return (reading, try node.set(first, wish, reading.state.shape))
    }

    /// Looks for a device that was gone.
    func findAgain() {
        // While it is being closed it may be there and gone at once.
        guard V4L2Disposal.pending(at: path) == 0, let found = identity.find(),
            let returned = try? CaptureNode(opening: found), (try? watch.attach(returned.receiver)) != nil
        else { return }
        // A source that is shown nothing new is no reason to show nothing of it.
        _ = try? returned.show(edid)
        (node, path, isStreamOfNode) = (returned, found, false)
    }
}
