import Capture
import Linux
import Media

/// A source of pictures that is not open, and is opened for a single one.
enum ClosedSource {
    /// Nanoseconds within which a good picture must come.
    private static let patience: Int64 = 10_000_000_000
    /// The first pictures of a camera are too dark or too bright.
    private static let passedOver = 3

    /// Opens the source, waits for a good picture and closes it. The calling thread waits.
    static func still(_ open: () throws(Failure) -> any VideoSource) -> StillResult {
        do throws(Failure) {
            let video = try open()
            defer { video.stop() }
            try video.start()
            let frame = try picture(of: video)
            defer { video.release(frame) }
            return StillJob.still(of: frame, video.format, layout: nil)
        } catch {
            return .failed(error)
        }
    }

    private static func picture(of video: any VideoSource) throws(Failure) -> VideoFrame {
        let device = video as? any DeviceVideoSource
        let limit = MonotonicTime.now + patience
        // What gives only changes makes no picture that is to be passed over.
        var left = video.givesOnlyChanges ? 0 : passedOver
        while MonotonicTime.now < limit, !video.isFinished {
            video.requestPicture()
            let isSignal = try wait(video.descriptor, device?.signalDescriptor)
            if isSignal { device?.watchSignal() }
            while let change = device?.nextChange() {
                guard case .lost(let state, _) = change else { continue }
                throw state.failure(of: video.name) ?? nothing(video)
            }
            guard let frame = try video.nextFrame() else { continue }
            if left == 0 && !frame.isSlate { return frame }
            if !frame.isSlate { left -= 1 }
            video.release(frame)
        }
        throw nothing(video)
    }

    /// Waits for a picture or the signal.
    /// - Returns: whether the signal has to be looked at.
    private static func wait(_ video: Int32, _ signal: Int32?) throws(Failure) -> Bool {
        var isSignal = false
        do throws(Errno) {
            let epoll = try Epoll()
            try epoll.add(video, for: .readable, token: 0)
            if let signal { try epoll.add(signal, for: .readable, token: 1) }
            try epoll.wait(milliseconds: 100) { token, _ in isSignal = isSignal || token == 1 }
        } catch {
            throw Failure(.internalFault, "cannot wait for a picture", because: "\(error)")
        }
        return isSignal
    }

    private static func nothing(_ video: any VideoSource) -> Failure {
        Failure(.noSignal, "cannot take a still", because: "\(video.name) gives no picture")
    }
}
