import Capture
import Encoding
import Linux
import Media

/// An encoder serves one recording. The next one's is opened before it is needed, while the source goes on.
extension EncoderLadder {
    /// An encoder on its way.
    struct Renewal {
        var opening: PendingEncoder
        var path: VideoPath
        /// It has arrived, or is known not to come, and waits for the source's frames.
        var result: Result<any VideoEncoder, Failure>?
    }

    /// Whether pictures can go in, or soon can: false while an encoder is being opened.
    var isReady: Bool { renewal == nil }

    /// Whether an encoder has failed since the source was set up for the best one.
    var hasFallen: Bool { failures > 0 }

    /// Whether the source's frames have to be back before the next encoder can be used.
    var awaitsFrames: Bool {
        if case .failure = renewal?.result { return true }
        return renewal?.result != nil && ownsFrames
    }

    /// Whether the frames lie in the encoder's own memory, which goes with it.
    var ownsFrames: Bool {
        switch path?.transfer {
        case .lent, .processor: true
        case .shared, .converter, .copied, .process, nil: false
        }
    }

    /// Begins to open the next recording's encoder, in the same way as the present one, which is done. Its frames come back
    /// by `nextReleasedFrame`.
    /// - Throws: `Failure` when no thread or descriptor is left, or there was no encoder.
    func renew() throws(Failure) {
        guard renewal == nil else { return isDraining = false }
        guard let path else {
            throw failure ?? Failure(.encoderFailed, "cannot encode", because: "there is no encoder")
        }
        lostFrames += pending.removeAll()
        // Where its memory is in use, it stays until the next one's is there.
        if ownsFrames { returnFrames() } else { retire() }
        isDraining = false
        let opening: PendingEncoder
        switch path.encoder {
        case .hardware(let hardware): opening = try self.opening(hardware, path.transfer)
        case .software:
            let (maker, configuration) = (plan.maker, softwareConfiguration)
            opening = try PendingEncoder { () throws(Failure) in try maker.openSoftware(configuration) }
        }
        do throws(Errno) {
            try epoll.add(opening.descriptor, for: .readable, token: 1)
        } catch {
            throw Failure(.internalFault, "cannot wait for an encoder", because: "\(error)")
        }
        renewal = Renewal(opening: opening, path: path)
    }

    /// Takes the encoder that was being opened into use once it is there; where it cannot be had, what is left in its place.
    /// - Parameter isWhole: whether all frames are with the source.
    /// - Throws: `Failure` when none can be had.
    func completeRenewal(isWhole: Bool) throws(Failure) {
        guard var renewal else { return }
        if renewal.result == nil {
            guard let result = renewal.opening.take(within: 0) else { return }
            try? epoll.remove(renewal.opening.descriptor)
            renewal.result = result
            self.renewal = renewal
        }
        guard let result = renewal.result, isWhole || !awaitsFrames else { return }
        self.renewal = nil
        switch result {
        case .failure(let reason):
            // A device for one user at a time is free only when the one before is closed, so it is tried again.
            (failure, hasGiven, isDraining) = (reason, true, false)
            try mend()
        case .success(let encoder):
            if ownsFrames, case .hardware(let hardware) = renewal.path.encoder {
                try prepare(for: encoder, hardware, renewal.path.transfer)
            }
            close()
            use(encoder, renewal.path)
        }
    }

    /// Hands out what is inside an encoder that is done.
    private func returnFrames() {
        // Drained, it would wake whoever waits for the new one.
        if let watched { try? epoll.remove(watched) }
        watched = nil
        if let current { while let frame = current.nextReleasedFrame() { orphans.append(frame) } }
        for frame in inside where !orphans.contains(where: { $0 === frame }) { orphans.append(frame) }
        inside.removeAll(keepingCapacity: true)
    }
}
