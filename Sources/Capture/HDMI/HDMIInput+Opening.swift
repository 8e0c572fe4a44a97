import Glibc
import Linux
import Media
import V4L2

extension HDMIInput {
    /// How long a source may take to read a new EDID and to send what it says.
    private static let newEDIDPatience: Int64 = 3_000_000_000
    /// How long an input takes its hot-plug line away (HDMI 1.4, 8.5: at least 100 ms), in microseconds.
    private static let hotPlugMicroseconds: UInt32 = 100_000

    /// Waits until the signal holds still.
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
            // A camera has nothing that could hold still.
            let isKnown = finding.isSettled || state == .locked(nil)
            if isKnown && (state.isLocked || finding.time > limit) {
                if let failure = state.failure(of: node.device.name) { throw failure }
                return finding.reading
            }
            if isKnown { watch.look(after: SignalWatch.alert) }
            watch.wait()
        }
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
