import CALSA
import Glibc
import Linux
import Media

/// Sound from a sound card, by ALSA. Used by one thread.
///
/// Times are those that the kernel stamped: of the first sample that has not been read. They jitter by what the card's
/// position is known to; whoever needs an even clock estimates it from them (a delay-locked loop over `AudioSpan.time` and
/// the count of samples belongs where the timeline is kept, so that it sees all sources). What an overrun or a suspend
/// lost comes as silence of the same length.
public final class ALSAInput: AudioSource {
    public let name: String
    public let format: AudioFormat
    public let descriptors: [Int32]
    public private(set) var silenceInserted: Int64 = 0
    /// How often the device stopped by itself: overruns and suspends.
    public private(set) var interruptions = 0
    private let pcm: OpaquePointer
    private let status: OpaquePointer
    private var gap: SoundGap
    /// Samples of silence that must be given before the device is read again.
    private var pendingSilence: Int64 = 0
    private var isRunning = false

    /// Opens a device and sets it up; nothing is captured before `start`.
    /// - Parameters:
    ///   - device: ALSA's name for it: "hw:CARD=Device,DEV=0".
    ///   - wanted: the device's nearest is taken: 48, 44.1 or 32 kHz, one or two channels.
    /// - Throws: `Failure` of kind noSource.
    public init(opening device: String, wanted: AudioFormat = .standard) throws(Failure) {
        kinebox_alsa_be_silent()
        let (pcm, setting) = try Self.open(device, wanted)
        var status: OpaquePointer?
        guard snd_pcm_status_malloc(&status) == 0, let status else {
            snd_pcm_close(pcm)
            throw ALSAFailure.using(device, "open", -ENOMEM)
        }
        name = device
        self.pcm = pcm
        self.status = status
        format = setting.format
        gap = SoundGap(format: setting.format)
        let count = max(snd_pcm_poll_descriptors_count(pcm), 0)
        var entries = [pollfd](repeating: pollfd(), count: Int(count))
        let filled = snd_pcm_poll_descriptors(pcm, &entries, UInt32(count))
        descriptors = entries.prefix(Int(max(filled, 0))).map(\.fd)
    }

    deinit {
        snd_pcm_status_free(status)
        snd_pcm_close(pcm)
    }

    public func start(origin: MonotonicTime) throws(Failure) {
        let code = snd_pcm_start(pcm)
        guard code == 0 else { throw ALSAFailure.using(name, "start", code) }
        isRunning = true
    }

    public func read(
        into buffer: UnsafeMutableBufferPointer<Int16>, before limit: MonotonicTime
    ) throws(Failure) -> AudioSpan? {
        guard isRunning, buffer.count >= format.channels else { return nil }
        let room = buffer.count / format.channels
        if pendingSilence > 0 { return giveSilence(buffer, room) }
        guard let ready = try position(), ready.frames > 0 else { return nil }
        pendingSilence = gap.silence(before: ready.time)
        if pendingSilence > 0 {
            silenceInserted += pendingSilence
            return giveSilence(buffer, room)
        }
        let count = snd_pcm_readi(pcm, buffer.baseAddress, snd_pcm_uframes_t(min(room, ready.frames)))
        if count < 0 {
            try recover(Int32(count))
            return nil
        }
        guard count > 0 else { return nil }
        gap.read(count, at: ready.time)
        return AudioSpan(time: ready.time, frames: count)
    }

    public func stop() {
        isRunning = false
        snd_pcm_drop(pcm)
    }

    /// Samples that can be read, and when the first of them was captured; nil while the device is not running.
    private func position() throws(Failure) -> (frames: Int, time: MonotonicTime)? {
        let code = snd_pcm_status(pcm, status)
        guard code == 0 else {
            try recover(code)
            return nil
        }
        switch snd_pcm_status_get_state(status) {
        case SND_PCM_STATE_XRUN:
            try recover(-EPIPE)
            return nil
        case SND_PCM_STATE_SUSPENDED:
            try recover(-ESTRPIPE)
            return nil
        case SND_PCM_STATE_DISCONNECTED:
            throw ALSAFailure.using(name, "record from", -ENODEV)
        default:
            break
        }
        let frames = Int(snd_pcm_status_get_avail(status))
        var stamp = timespec()
        snd_pcm_status_get_htstamp(status, &stamp)
        let time = MonotonicTime(nanoseconds: Int64(stamp.tv_sec) * 1_000_000_000 + Int64(stamp.tv_nsec))
        return (frames, time + -format.nanoseconds(of: Int64(frames)))
    }

    /// Makes the device go on after an overrun or a suspend.
    private func recover(_ reason: Int32) throws(Failure) {
        switch -reason {
        case EAGAIN:
            return
        case EPIPE:
            break
        case ESTRPIPE:
            // Not awake yet: the next call tries again. Where it cannot resume it starts anew.
            let code = snd_pcm_resume(pcm)
            if code == -EAGAIN { return }
            if code == 0 {
                note()
                return
            }
        default:
            throw ALSAFailure.using(name, "record from", reason)
        }
        note()
        var code = snd_pcm_prepare(pcm)
        if code == 0 { code = snd_pcm_start(pcm) }
        guard code == 0 else { throw ALSAFailure.using(name, "record from", code) }
    }

    private func note() {
        interruptions += 1
        gap.interrupt()
    }

    private func giveSilence(_ buffer: UnsafeMutableBufferPointer<Int16>, _ room: Int) -> AudioSpan? {
        guard let time = gap.end else { return nil }
        let frames = Int(min(pendingSilence, Int64(room)))
        UnsafeMutableBufferPointer(rebasing: buffer[..<(frames * format.channels)]).update(repeating: 0)
        pendingSilence -= Int64(frames)
        gap.read(frames, at: time)
        return AudioSpan(time: time, frames: frames)
    }

    /// Opens a device as it is, else through the library's conversions: of the sample layout first, of the rate last.
    private static func open(
        _ device: String, _ wanted: AudioFormat
    ) throws(Failure) -> (OpaquePointer, ALSAParameters.Setting) {
        var ways = [(device, false)]
        if device.hasPrefix("hw:") { ways += [("plug" + device, false), ("plug" + device, true)] }
        var last: Int32 = 0
        for (name, resampling) in ways {
            var pcm: OpaquePointer?
            last = snd_pcm_open(&pcm, name, SND_PCM_STREAM_CAPTURE, SND_PCM_NONBLOCK)
            guard last == 0, let pcm else { throw ALSAFailure.using(device, "open", last) }
            if let setting = ALSAParameters.set(pcm, wanted: wanted, resampling: resampling, code: &last) {
                return (pcm, setting)
            }
            snd_pcm_close(pcm)
        }
        if last < 0 && last != -EINVAL { throw ALSAFailure.using(device, "set up", last) }
        throw Failure(
            .noSource, "cannot record from the sound device \(device)",
            because: "it has no 16-bit sound with one or two channels at 48, 44.1 or 32 kHz")
    }
}
