import Capture
import Encoding
import Media

extension EncoderLadder {
    /// Gives all pictures inside up: their frames come back by `nextReleasedFrame`. Nothing comes out any more until
    /// another encoder was opened.
    func giveUp(because reason: Failure? = nil) {
        lostFrames += pending.removeAll()
        orphans += inside
        inside.removeAll(keepingCapacity: true)
        let usual = Failure(.encoderFailed, "cannot encode", because: "the encoder was given up")
        if failure == nil { failure = reason ?? usual }
    }

    /// Ends the encoder, so that nobody reads frames any more; then they may be taken back and their memory may go.
    func retire() {
        if let watched { try? epoll.remove(watched) }
        if let renewal { try? epoll.remove(renewal.opening.descriptor) }
        (watched, current, renewal) = (nil, nil, nil)
        giveUp()
    }

    func lose(_ error: Failure) throws(Failure) {
        guard case .hardware = path?.encoder else { throw error }
        giveUp()
        failure = error
    }

    /// Puts another encoder in the place of the one that failed. All frames must be back.
    /// - Throws: `Failure` when no other is left.
    func mend() throws(Failure) {
        guard let failure, let broken = path else { return }
        let name = name
        failures += 1
        var reason = failure
        // What never gave anything will not do so the next time; the next way may go without what it cannot.
        let next = hasGiven && failures < 2 ? [broken] : paths.dropFirst().filter(isReachable)
        close()
        for path in next + [softwarePath(instead: broken)] {
            do throws(Failure) {
                try openRunning(path)
                if let place = paths.firstIndex(of: path) { paths = paths[place...] }
                notices.append(
                    EncoderNotice(.failure, Self.words(name, failure, path, isSame: path == broken)))
                return
            } catch {
                reason = error
                failures += 1
                if case .software = path.encoder { break }
            }
        }
        throw reason
    }

    private static func words(_ name: String, _ failure: Failure, _ path: VideoPath, isSame: Bool) -> String {
        let what = "\(name) failed (\(failure.cause))"
        if isSame { return "\(what) and was opened again" }
        if case .software = path.encoder { return "\(what): the processor encodes from here on" }
        return "\(what): the recording goes on without it, \(path.reason)"
    }

    /// While a source runs, its layout stays as it is.
    private func isReachable(_ path: VideoPath) -> Bool {
        if case .hardware = path.encoder, failures > 1 { return false }
        return path.captureFormat == self.path?.captureFormat
    }

    private func softwarePath(instead path: VideoPath) -> VideoPath {
        VideoPath(
            captureFormat: path.captureFormat, encoder: .software, transfer: .process,
            reason: "software: the board's encoder failed")
    }

    /// Puts the encoder away; it closes by itself, without being waited for.
    func close() {
        if let watched { try? epoll.remove(watched) }
        watched = nil
        current = nil
        failure = nil
        strayPackets = packetsOut
        lostFrames += pending.removeAll()
        inside.removeAll(keepingCapacity: true)
        hasGiven = false
        isDraining = false
    }
}
