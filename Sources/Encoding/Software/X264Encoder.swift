import CX264
import Linux
import Media

/// The one owner of an x264 encoder. Used by one thread at a time.
struct X264Encoder: ~Copyable {
    /// The stream's parameter sets; no step of effort changes them.
    let parameterSets: ParameterSets
    private let handle: OpaquePointer
    private let isFixed: Bool
    /// Kilobits a second of pictures that come with the nominal rate.
    private let kilobits: Int32
    /// The effort, and how many pictures' bits may be spent; nil while they are what the encoder was opened with.
    private var step: EffortStep?
    private var span: Int32?
    private let log: X264Log
    private let input: UnsafeMutablePointer<x264_picture_t>
    private let output: UnsafeMutablePointer<x264_picture_t>

    /// - Parameters:
    ///   - parameters: what it is opened with.
    ///   - isFixed: whether the stream says that each picture lasts as long as the rate says.
    /// - Throws: `Failure` of kind encoderFailed with x264's own words.
    init(_ parameters: X264Parameters, isFixed: Bool = true) throws(Failure) {
        // x264 asks for huge pages for buffers of which it uses a small part: 8 MB of memory at 1920x1080, and no less time.
        HugePages.decline()
        let log = X264Log()
        var native = parameters.native
        log.attach(to: &native)
        guard let handle = kinebox_x264_encoder_open(&native) else { throw Self.failure("cannot open x264", log) }
        do throws(Failure) {
            parameterSets = try Self.parameterSets(of: handle, isFixed, log)
        } catch {
            x264_encoder_close(handle)
            throw error
        }
        self.handle = handle
        self.isFixed = isFixed
        self.log = log
        kilobits = native.rc.i_bitrate
        input = .allocate(capacity: 1)
        output = .allocate(capacity: 1)
        x264_picture_init(input)
        x264_picture_init(output)
        input.pointee.img.i_csp = native.i_csp
        input.pointee.img.i_plane = native.i_csp == X264_CSP_NV12 ? 2 : 3
    }

    deinit {
        x264_encoder_close(handle)
        input.deallocate()
        output.deallocate()
        // x264 writes to the log until it is closed.
        withExtendedLifetime(log) {}
    }

    /// Encodes a frame in place; it is no longer needed when the call returns.
    /// - Parameters:
    ///   - frame: in the format that x264 was opened for.
    ///   - number: comes back with the packet; greater than the last frame's.
    ///   - forcingKeyFrame: whether an IDR picture is wanted.
    ///   - packet: empty; gets the slices of a picture.
    /// - Returns: the number of the picture in `packet`; nil when x264 keeps the picture for later.
    /// - Throws: `Failure` of kind encoderFailed.
    func encode(
        _ frame: VideoFrame, number: Int64, forcingKeyFrame: Bool, into packet: EncodedPacket
    ) throws(Failure) -> Int64? {
        let planes = frame.planes
        precondition(planes.count == Int(input.pointee.img.i_plane), "the frame is not in the encoder's format")
        func base(_ index: Int) -> UnsafeMutablePointer<UInt8>? {
            index < planes.count ? planes[index].base.assumingMemoryBound(to: UInt8.self) : nil
        }
        func stride(_ index: Int) -> Int32 { index < planes.count ? Int32(planes[index].bytesPerLine) : 0 }
        input.pointee.img.plane = (base(0), base(1), base(2), nil)
        input.pointee.img.i_stride = (stride(0), stride(1), stride(2), 0)
        input.pointee.i_pts = number
        input.pointee.i_type = forcingKeyFrame ? X264_TYPE_IDR : X264_TYPE_AUTO
        return try take(input, into: packet)
    }

    /// A picture that x264 kept for later.
    /// - Returns: its number; nil when x264 holds none.
    /// - Throws: `Failure` of kind encoderFailed.
    func flush(into packet: EncodedPacket) throws(Failure) -> Int64? {
        while x264_encoder_delayed_frames(handle) > 0 {
            if let number = try take(nil, into: packet) { return number }
        }
        return nil
    }

    /// Changes the effort from the next frame on.
    /// - Throws: `Failure` of kind encoderFailed.
    mutating func apply(_ step: EffortStep) throws(Failure) {
        self.step = step
        try change("effort")
    }

    /// Lets as many bits be spent from the next frame on as the nominal rate gives to several pictures.
    /// - Parameter count: how many, 1 or more.
    /// - Throws: `Failure` of kind encoderFailed.
    mutating func spend(bitsOf count: Int) throws(Failure) {
        span = Int32(clamping: count)
        try change("bit rate")
    }

    /// Asks for all that was ever changed: what was asked for since the last frame is not among what x264 tells, and is
    /// forgotten where it is not asked for again.
    private func change(_ thing: String) throws(Failure) {
        var native = x264_param_t()
        x264_encoder_parameters(handle, &native)
        step?.apply(to: &native)
        if let span {
            native.rc.i_bitrate = kilobits * span
            native.rc.i_vbv_max_bitrate = native.rc.i_bitrate
        }
        guard x264_encoder_reconfig(handle, &native) == 0 else {
            throw Self.failure("cannot change the encoder's \(thing)", log)
        }
    }

    private func take(
        _ picture: UnsafeMutablePointer<x264_picture_t>?, into packet: EncodedPacket
    ) throws(Failure) -> Int64? {
        var units: UnsafeMutablePointer<x264_nal_t>?
        var count: Int32 = 0
        let size = x264_encoder_encode(handle, &units, &count, picture, output)
        guard size >= 0 else { throw Self.failure("cannot encode a frame", log) }
        guard size > 0, let units else { return nil }
        for unit in UnsafeBufferPointer(start: units, count: Int(count)) {
            guard NALUnit.Kind(rawValue: UInt8(truncatingIfNeeded: unit.i_type)).isPicture else { continue }
            packet.append(UnsafeRawBufferPointer(start: unit.p_payload, count: Int(unit.i_payload)))
            if unit.i_type == Int32(NAL_SLICE_IDR.rawValue) { packet.isKeyFrame = true }
        }
        return output.pointee.i_pts
    }

    /// The parameter sets that x264 would write now.
    /// - Throws: `Failure` of kind encoderFailed.
    func presentParameterSets() throws(Failure) -> ParameterSets {
        try Self.parameterSets(of: handle, isFixed, log)
    }

    private static func parameterSets(
        of handle: OpaquePointer, _ isFixed: Bool, _ log: X264Log
    ) throws(Failure) -> ParameterSets {
        var units: UnsafeMutablePointer<x264_nal_t>?
        var count: Int32 = 0
        guard x264_encoder_headers(handle, &units, &count) >= 0, let units else {
            throw failure("cannot get x264's parameter sets", log)
        }
        var sets = ParameterSets(sequence: [], picture: [])
        for unit in UnsafeBufferPointer(start: units, count: Int(count)) {
            // Four bytes of length go before.
            let bytes = Array(UnsafeBufferPointer(start: unit.p_payload, count: Int(unit.i_payload)).dropFirst(4))
            switch NALUnit.Kind(rawValue: UInt8(truncatingIfNeeded: unit.i_type)) {
            case .sequenceParameterSet: sets.sequence = bytes
            case .pictureParameterSet: sets.picture = bytes
            default: break
            }
        }
        // x264 says so only of pictures that it keeps for one more.
        guard !isFixed, var usability = try SequenceParameterSet(sets.sequence).usability else { return sets }
        usability.timing?.isFixed = false
        sets.sequence = try SequenceParameterSet.setting(usability, in: sets.sequence)
        return sets
    }

    private static func failure(_ thing: String, _ log: X264Log) -> Failure {
        Failure(
            .encoderFailed, thing, because: log.cause, mend: "Choose another size, rate or preset, or another encoder.")
    }
}
