import Glibc
import Media

/// Looks into the samples of an H.264 track (ISO/IEC 14496-15, 5.3; Rec. ITU-T H.264, 7.4.1).
struct PictureCheck {
    private let log: FaultLog
    private let track: TrackLayout
    private let configuration: AVCDecoderConfiguration
    private let setsMayChange: Bool
    private let isOurs: Bool
    private let isScanning: Bool
    /// The sequence parameter sets, by the number of the picture parameter set that refers to them; empty where samples
    /// bring their own.
    private let sequences: [Int: SequenceParameterSet]

    /// - Parameters:
    ///   - setsMayChange: whether samples may bring parameter sets of their own (`avc3`).
    ///   - isOurs: whether the file is one of our own.
    ///   - isScanning: whether all bytes are looked at, or the first ones of each NAL unit only.
    init(
        log: FaultLog, track: TrackLayout, configuration: AVCDecoderConfiguration, setsMayChange: Bool, isOurs: Bool,
        isScanning: Bool
    ) {
        self.log = log
        self.track = track
        self.configuration = configuration
        self.setsMayChange = setsMayChange
        self.isOurs = isOurs
        self.isScanning = isScanning
        var sequences: [Int: SequenceParameterSet] = [:]
        if !setsMayChange {
            let sets = configuration.sequenceSets.compactMap { try? SequenceParameterSet($0) }
            for bytes in configuration.pictureSets {
                guard let picture = try? PictureParameterSet(bytes) else { continue }
                sequences[picture.id] = sets.first { $0.id == picture.sequenceID }
            }
        }
        self.sequences = sequences
    }

    /// What was met in a sample.
    private struct Content {
        var keyPictures = 0
        var otherPictures = 0
    }

    func check(_ sample: Sample, _ window: FileWindow) throws(BoxFault) {
        let name = "\(track.title), sample \(sample.index + 1) at \(sample.offset)"
        guard let content = try units(of: sample, name, window) else { return }
        guard content.keyPictures + content.otherPictures > 0 else {
            log.report(.pictureMissing, "\(name) has no picture in it")
            return
        }
        if content.keyPictures > 0, content.otherPictures > 0 {
            log.report(.unitContent, "\(name) mixes slices of an IDR picture with others")
        }
        let isKey = content.keyPictures > 0
        if sample.index == 0, !isKey {
            log.report(.firstNotKeyFrame, "\(name) is the first picture and no IDR picture")
        } else if sample.isSync, !isKey {
            log.report(.syncNotKeyFrame, "\(name) is called a sync sample and is no IDR picture")
        }
        if !sample.isSync, isKey {
            log.report(.keyFrameNotSync, "\(name) is an IDR picture and not called a sync sample")
        }
    }

    /// Steps over the NAL units of a sample.
    /// - Returns: nil when they do not fill it.
    private func units(of sample: Sample, _ name: String, _ window: FileWindow) throws(BoxFault) -> Content? {
        var content = Content()
        var place = sample.offset
        var number = 0
        let lengthSize = configuration.lengthSize
        while place < sample.end {
            number += 1
            let left = sample.end - place
            guard left >= Int64(lengthSize) else {
                log.report(.unitLength, "\(name): \(left) bytes are left over behind NAL unit \(number - 1)")
                return nil
            }
            let length = try window.boxBytes(at: place, count: lengthSize).reduce(Int64(0)) { $0 << 8 | Int64($1) }
            place += Int64(lengthSize)
            guard length > 0, length <= sample.end - place else {
                log.report(
                    .unitLength,
                    "\(name): NAL unit \(number) says it has \(length) bytes, but \(sample.end - place) are left")
                return nil
            }
            try check(unit: "\(name), NAL unit \(number)", at: place, length: length, &content, window)
            place += length
        }
        return content
    }

    private func check(
        unit name: @autoclosure () -> String, at place: Int64, length: Int64, _ content: inout Content,
        _ window: FileWindow
    ) throws(BoxFault) {
        let first = try window.boxBytes(at: place, count: 1)[0]
        let (type, reference) = (first & 31, first >> 5 & 3)
        if first & 0x80 != 0 || type == 0 || type > 23 {
            log.report(.unitContent, "\(name()): its header \(first) is none of H.264")
            return
        }
        if type == 1 || type == 5 {
            let isFirst = content.keyPictures + content.otherPictures == 0
            try checkSlice(name(), at: place, length: length, isFirst: isFirst, window)
        }
        switch type {
        case 5:
            content.keyPictures += 1
            if reference == 0 { log.report(.unitContent, "\(name()): an IDR picture says that nobody refers to it") }
        case 1...4: content.otherPictures += 1
        case 7, 8: try checkSet(name(), at: place, length: length, type: type, window)
        case 9 where isOurs: log.report(.unitContent, "\(name()): an access unit delimiter is in the sample")
        default: break
        }
        if isScanning { try scan(name(), at: place, length: length, window) }
    }

    /// The beginning of a slice must be one, refer to parameter sets that there are, and begin the picture if it is its
    /// first one.
    private func checkSlice(
        _ name: @autoclosure () -> String, at place: Int64, length: Int64, isFirst: Bool, _ window: FileWindow
    ) throws(BoxFault) {
        guard let sequence = sequences.first?.value else { return }
        let bytes = try window.boxBytes(at: place, count: Int(min(length, 32)))
        guard let unit = NALUnit(bytes) else { return }
        do throws(Failure) {
            let slice = try SliceHeader(unit, sequence: sequence)
            if sequences[slice.pictureSetID] == nil {
                log.report(
                    .unitContent,
                    "\(name()): it refers to picture parameter set \(slice.pictureSetID), which is not in 'avcC'")
            }
            // Only Baseline and Extended let slices come in any order.
            if isFirst, slice.firstMacroblock != 0, sequence.profile != 66, sequence.profile != 88 {
                log.report(
                    .unitContent,
                    "\(name()): the first slice of the picture begins at macroblock \(slice.firstMacroblock), not at 0")
            }
            if unit.kind == .idrSlice, slice.kind != .i, slice.kind != .switchingI {
                log.report(.unitContent, "\(name()): a slice of an IDR picture is predicted from other pictures")
            }
        } catch {
            log.report(.unitContent, "\(name()): the slice's header cannot be read: \(error.cause)")
        }
    }

    private func checkSet(
        _ name: @autoclosure () -> String, at place: Int64, length: Int64, type: UInt8, _ window: FileWindow
    ) throws(BoxFault) {
        guard !setsMayChange else { return }
        let known = type == 7 ? configuration.sequenceSets : configuration.pictureSets
        let bytes = try window.boxBytes(at: place, count: Int(min(length, Int64(window.capacity))))
        if Int64(bytes.count) != length || !known.contains(where: { bytes.elementsEqual($0) }) {
            log.report(
                .parameterSetInSample,
                "\(name()): a parameter set of type \(type) in the sample is not one of those in 'avcC'")
        }
    }

    /// Three bytes that would be a start code never stand inside a NAL unit, and its last byte is not 0: bytes that were
    /// lost or overwritten show by that.
    private func scan(
        _ name: @autoclosure () -> String, at start: Int64, length: Int64, _ window: FileWindow
    ) throws(BoxFault) {
        var place = start
        let end = start + length
        while place < end {
            let piece = try window.boxBytes(at: place, from: Int(min(end - place, 3)), to: end - place)
            if let index = Self.startCode(in: piece) {
                log.report(
                    .unitContent,
                    "\(name()): the bytes at \(place + Int64(index)) are 0, 0, \(piece[index + 2]), which cannot be inside one"
                )
                return
            }
            if place + Int64(piece.count) == end {
                if piece[piece.count - 1] == 0 { log.report(.unitContent, "\(name()): its last byte is 0") }
                return
            }
            // The last two bytes may begin what the next piece completes.
            place += Int64(piece.count - 2)
        }
    }

    /// The place of two zeros in front of a byte below 3.
    private static func startCode(in bytes: UnsafeRawBufferPointer) -> Int? {
        guard let base = bytes.baseAddress, bytes.count >= 3 else { return nil }
        var position = 0
        // The C library finds the next zero many times faster than a loop would.
        while let found = memchr(base + position, 0, bytes.count - 2 - position) {
            let index = UnsafeRawPointer(found) - base
            if bytes[index + 1] == 0 && bytes[index + 2] < 3 { return index }
            position = index + 1
            if position >= bytes.count - 2 { return nil }
        }
        return nil
    }
}
