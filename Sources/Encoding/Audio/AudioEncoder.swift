import CAAC
import Media

/// AAC-LC by vo-aacenc: packets of 1024 samples, without headers. It works on the calling thread and makes nothing per call:
/// its memory is there from the start. Used by one thread at a time.
public final class AudioEncoder {
    /// Samples by which a decoder's output lies behind what was fed.
    public static let primingSamples = 1600

    /// The shape of what is fed.
    public let format: AudioFormat
    /// Bits a second.
    public let bitrate: Int
    /// AudioSpecificConfig for the file's `esds` box (ISO/IEC 14496-3, 1.6.2.1).
    public let audioSpecificConfig: [UInt8]
    private var functions = VO_AUDIO_CODECAPI()
    private var handle: VO_HANDLE?
    /// vo-aacenc's memory functions; it keeps the pointer.
    private let memory: UnsafeMutablePointer<VO_MEM_OPERATOR>
    /// Samples that do not make a packet yet.
    private let pending: UnsafeMutableBufferPointer<Int16>
    private var pendingCount = 0
    private let output: UnsafeMutableBufferPointer<UInt8>

    /// The rates that are taken, and their numbers in AudioSpecificConfig.
    private static let rates: [Int: UInt8] = [48_000: 3, 44_100: 4, 32_000: 5]

    /// 80 kb/s for each channel: 160 kb/s in stereo.
    /// - Parameter channels: 1 or 2.
    public static func usualBitrate(channels: Int) -> Int { 80_000 * channels }

    /// - Parameters:
    ///   - format: 48, 44.1 or 32 kHz, mono or stereo.
    ///   - bitrate: bits a second, 16 000…160 000 for each channel; nil for the usual one.
    /// - Throws: `Failure` of kind invalidValue for another format or bit rate, encoderFailed when memory runs out.
    public init(format: AudioFormat, bitrate: Int? = nil) throws(Failure) {
        guard let rateNumber = Self.rates[format.rate] else {
            throw Failure(
                .invalidValue, "cannot encode sound with \(format.rate) samples a second",
                because: "the encoder takes 48000, 44100 and 32000", mend: "Choose one of these rates.")
        }
        guard (1...2).contains(format.channels) else {
            throw Failure(
                .invalidValue, "cannot encode sound with \(format.channels) channels",
                because: "the encoder takes mono and stereo", mend: "Choose one or two channels.")
        }
        let bitrate = bitrate ?? Self.usualBitrate(channels: format.channels)
        guard (16_000...160_000).contains(bitrate / format.channels) else {
            throw Failure(
                .invalidValue, "cannot encode sound at \(bitrate) bits a second",
                because: "the encoder takes 16000 to 160000 for each channel", mend: "Choose another bit rate.")
        }
        self.format = format
        self.bitrate = bitrate
        // Object type 2 (AAC LC) in five bits, the rate and the channels in four each, three zeros.
        let header = UInt16(2) << 11 | UInt16(rateNumber) << 7 | UInt16(format.channels) << 3
        audioSpecificConfig = [UInt8(header >> 8), UInt8(truncatingIfNeeded: header)]
        pending = .allocate(capacity: AudioPriming.packetSamples * format.channels)
        // A packet has at most 6144 bits for each channel (ISO/IEC 14496-3, 4.5.3); room for more costs nothing.
        output = .allocate(capacity: 8192)
        memory = .allocate(capacity: 1)
        try open()
    }

    deinit {
        if let handle { _ = functions.Uninit(handle) }
        pending.deallocate()
        output.deallocate()
        memory.deallocate()
    }

    /// Encodes samples; those that do not fill a packet wait for the next call.
    /// - Parameters:
    ///   - samples: interleaved, any number of them that is a multiple of the channels.
    ///   - emit: is called with each packet, which is valid during the call only.
    /// - Throws: `Failure` of kind encoderFailed.
    public func encode(
        samples: UnsafeBufferPointer<Int16>, _ emit: (UnsafeRawBufferPointer) -> Void
    ) throws(Failure) {
        precondition(samples.count % format.channels == 0, "a sample of each channel is needed")
        var rest = samples
        while !rest.isEmpty {
            if pendingCount == 0 && rest.count >= pending.count {
                let packet = UnsafeBufferPointer(rebasing: rest[..<pending.count])
                rest = UnsafeBufferPointer(rebasing: rest[pending.count...])
                try encode(packet, emit)
                continue
            }
            let count = min(pending.count - pendingCount, rest.count)
            for index in 0..<count { pending[pendingCount + index] = rest[index] }
            pendingCount += count
            rest = UnsafeBufferPointer(rebasing: rest[count...])
            if pendingCount == pending.count {
                pendingCount = 0
                try encode(UnsafeBufferPointer(pending), emit)
            }
        }
    }

    private func encode(
        _ packet: UnsafeBufferPointer<Int16>, _ emit: (UnsafeRawBufferPointer) -> Void
    ) throws(Failure) {
        var input = VO_CODECBUFFER()
        // vo-aacenc only reads what it is given.
        input.Buffer = UnsafeMutableRawPointer(mutating: UnsafeRawPointer(packet.baseAddress))?
            .assumingMemoryBound(to: UInt8.self)
        input.Length = VO_U32(packet.count * MemoryLayout<Int16>.size)
        var result = VO_CODECBUFFER()
        result.Buffer = output.baseAddress
        result.Length = VO_U32(output.count)
        var information = VO_AUDIO_OUTPUTINFO()
        guard functions.SetInputData(handle, &input) == VO_ERR_NONE,
            functions.GetOutputData(handle, &result, &information) == VO_ERR_NONE, result.Length > 0
        else { throw Failure(.encoderFailed, "cannot encode sound", because: "vo-aacenc refuses a packet") }
        emit(UnsafeRawBufferPointer(start: output.baseAddress, count: Int(result.Length)))
    }

    private func open() throws(Failure) {
        memory.initialize(to: VO_MEM_OPERATOR())
        memory.pointee.Alloc = cmnMemAlloc
        memory.pointee.Copy = cmnMemCopy
        memory.pointee.Free = cmnMemFree
        memory.pointee.Set = cmnMemSet
        memory.pointee.Check = cmnMemCheck
        var user = VO_CODEC_INIT_USERDATA(
            memflag: VO_IMF_USERMEMOPERATOR, memData: UnsafeMutableRawPointer(memory), reserved1: 0, reserved2: 0)
        _ = voGetAACEncAPI(&functions)
        guard functions.Init(&handle, VO_AUDIO_CodingAAC, &user) == VO_ERR_NONE else {
            throw Failure(.encoderFailed, "cannot open the sound encoder", because: "memory has run out")
        }
        var parameters = AACENC_PARAM(
            sampleRate: Int32(format.rate), bitRate: Int32(bitrate), nChannels: Int16(format.channels), adtsUsed: 0)
        guard functions.SetParam(handle, VO_S32(VO_PID_AAC_ENCPARAM), &parameters) == VO_ERR_NONE else {
            throw Failure(.encoderFailed, "cannot open the sound encoder", because: "vo-aacenc refuses its format")
        }
    }
}
