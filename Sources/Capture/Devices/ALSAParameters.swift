import CALSA
import Glibc
import Linux
import Media

/// Sets a sound device up for capture: 16 bits, one or two channels, a rate that can be encoded.
enum ALSAParameters {
    /// What a device was set to.
    struct Setting {
        var format: AudioFormat
        /// Samples of each channel that the device's buffer holds.
        var bufferFrames: Int
    }

    /// Microseconds between interrupts, and that the buffer holds: enough for a machine that hangs for a while.
    private static let (periodTime, bufferTime): (UInt32, UInt32) = (10_000, 500_000)
    private static let rates = [48_000, 44_100, 32_000]

    /// - Parameters:
    ///   - pcm: an open device.
    ///   - wanted: what comes nearest to it is set.
    ///   - resampling: whether the library may change the rate, where the device is one of its "plug" ones.
    /// - Returns: nil when the device cannot.
    /// - Throws: nothing; the library's answer is in `code` when the result is nil.
    static func set(_ pcm: OpaquePointer, wanted: AudioFormat, resampling: Bool, code: inout Int32) -> Setting? {
        var parameters: OpaquePointer?
        guard snd_pcm_hw_params_malloc(&parameters) == 0, let parameters else {
            code = -ENOMEM
            return nil
        }
        defer { snd_pcm_hw_params_free(parameters) }
        code = snd_pcm_hw_params_any(pcm, parameters)
        guard code >= 0 else { return nil }
        _ = snd_pcm_hw_params_set_rate_resample(pcm, parameters, resampling ? 1 : 0)
        code = snd_pcm_hw_params_set_access(pcm, parameters, SND_PCM_ACCESS_RW_INTERLEAVED)
        guard code == 0 else { return nil }
        code = snd_pcm_hw_params_set_format(pcm, parameters, SND_PCM_FORMAT_S16)
        guard code == 0 else { return nil }
        var channels = UInt32(wanted.channels)
        code = snd_pcm_hw_params_set_channels_near(pcm, parameters, &channels)
        guard code == 0, (1...2).contains(channels) else { return nil }
        guard let rate = setRate(pcm, parameters, wanted.rate, &code) else { return nil }
        var (period, buffer) = (periodTime, bufferTime)
        _ = snd_pcm_hw_params_set_period_time_near(pcm, parameters, &period, nil)
        _ = snd_pcm_hw_params_set_buffer_time_near(pcm, parameters, &buffer, nil)
        code = snd_pcm_hw_params(pcm, parameters)
        guard code == 0 else { return nil }
        var (periodFrames, bufferFrames): (snd_pcm_uframes_t, snd_pcm_uframes_t) = (0, 0)
        _ = snd_pcm_hw_params_get_period_size(parameters, &periodFrames, nil)
        _ = snd_pcm_hw_params_get_buffer_size(parameters, &bufferFrames)
        code = setStamps(pcm, periodFrames)
        guard code == 0 else { return nil }
        return Setting(
            format: AudioFormat(rate: rate, channels: Int(channels)), bufferFrames: Int(bufferFrames))
    }

    /// The wanted rate, else another one that can be encoded.
    private static func setRate(
        _ pcm: OpaquePointer, _ parameters: OpaquePointer, _ wanted: Int, _ code: inout Int32
    ) -> Int? {
        for rate in [wanted] + rates.filter({ $0 != wanted }) {
            code = snd_pcm_hw_params_set_rate(pcm, parameters, UInt32(rate), 0)
            if code == 0 { return rate }
        }
        return nil
    }

    /// Makes the kernel stamp positions with CLOCK_MONOTONIC, and wake the reader once a period.
    private static func setStamps(_ pcm: OpaquePointer, _ period: snd_pcm_uframes_t) -> Int32 {
        var parameters: OpaquePointer?
        guard snd_pcm_sw_params_malloc(&parameters) == 0, let parameters else { return -ENOMEM }
        defer { snd_pcm_sw_params_free(parameters) }
        var code = snd_pcm_sw_params_current(pcm, parameters)
        guard code == 0 else { return code }
        _ = snd_pcm_sw_params_set_avail_min(pcm, parameters, period)
        code = snd_pcm_sw_params_set_tstamp_mode(pcm, parameters, SND_PCM_TSTAMP_ENABLE)
        guard code == 0 else { return code }
        code = snd_pcm_sw_params_set_tstamp_type(pcm, parameters, SND_PCM_TSTAMP_TYPE_MONOTONIC)
        guard code == 0 else { return code }
        return snd_pcm_sw_params(pcm, parameters)
    }
}
