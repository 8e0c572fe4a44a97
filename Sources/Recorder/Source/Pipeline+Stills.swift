import Capture
import Linux
import Media

/// Stills, and what is mended between recordings.
extension Pipeline {
    /// Nanoseconds within which a picture for a still must come.
    private static let stillPatience: Int64 = 5_000_000_000

    /// Tells those who wait for a still that is ready.
    func endStill() {
        shared.pictured.clear()
        guard let outcome = stills.end() else { return }
        if let frame = outcome.frame { source?.video.release(frame) }
        for number in outcome.numbers { shared.tell(.deck(.still(number, outcome.result))) }
    }

    /// Answers those who wait for a picture that will not come.
    func answerStills() {
        guard stills.isWaiting else { return }
        if let source {
            let late = MonotonicTime.now + -Self.stillPatience
            let failure = source.failure ?? source.misfit ?? source.device?.signal.failure(of: source.video.name)
            let numbers = failure == nil ? stills.giveUp(before: late) : stills.giveUp()
            fail(
                numbers,
                failure
                    ?? Failure(.noSignal, "cannot take a still", because: "\(source.video.name) gives no picture"))
        } else if plan.isWarm {
            guard case .absent(let failure) = condition else { return }
            fail(stills.giveUp(), failure)
        } else if starts.isEmpty {
            let numbers = stills.giveUp()
            let result = ClosedSource.still(plan.openVideo)
            for number in numbers { shared.tell(.deck(.still(number, result))) }
        }
    }

    private func fail(_ numbers: [Int], _ failure: Failure) {
        for number in numbers { shared.tell(.deck(.still(number, .failed(failure)))) }
    }

    /// Opens sound again that was lost, while nothing is recorded.
    func mendSound(_ source: OpenSource, _ now: MonotonicTime) {
        guard now >= retryTime, source.inputs.contains(where: \.isLost) else { return }
        retryTime = now + Self.retryInterval
        for (index, open) in plan.openAudio.enumerated() where source.inputs[index].isLost {
            source.inputs[index].source.stop()
            guard let opened = try? open() else { continue }
            let input = SoundInput(opened)
            guard (try? input.start(origin: now)) != nil else { continue }
            source.inputs[index] = input
            say("\(opened.name) is back")
        }
    }
}
