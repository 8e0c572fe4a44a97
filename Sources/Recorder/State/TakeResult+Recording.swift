import Media

extension TakeResult {
    /// What a recording's own thread says of it.
    /// - Parameters:
    ///   - number: the take's.
    ///   - medium: the name of the medium that it was made on.
    ///   - result: what the recording has become.
    public init(number: Int, medium: String, _ result: RecordingResult) {
        let paths = result.parts.map(\.path)
        let status = result.status
        self.init(
            number: number, clip: (paths.first ?? result.unfinished.first).map { Clip(path: $0, medium: medium) },
            paths: paths, unfinished: result.unfinished, firstFrameTime: result.firstFrameTime,
            lastFrameTime: result.lastFrameTime,
            capturedFrames: status.encodedFrames + status.droppedFrames + status.lostFrames,
            encodedFrames: status.encodedFrames - status.discardedFrames,
            droppedFrames: status.droppedFrames + status.lostFrames + status.discardedFrames,
            // The tables of a file that is whole come behind the last fragment, of which the status knows.
            byteCount: max(status.byteCount, result.parts.reduce(0) { $0 + $1.byteCount }), marks: result.marks)
        repeatedFrames = result.slateFrames
        nanoseconds = status.nanoseconds
        end =
            switch result.end {
            case .stopped: .stopped
            case .durationReached: .duration
            case .sourceEnded: .source
            case .signalLost: .signal
            case .failed: .failure
            }
        failure =
            switch result.end {
            case .stopped, .durationReached, .sourceEnded: nil
            case .failed(let failure): failure
            case .signalLost(let signal):
                Failure(
                    .noSignal, "the recording ended", because: "the signal was lost (\(signal.words))",
                    mend: signal.mend)
            }
    }
}
