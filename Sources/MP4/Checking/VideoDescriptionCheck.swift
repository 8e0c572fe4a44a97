import Media

/// Checks that the description of a picture track agrees with the H.264 parameter sets in it.
struct VideoDescriptionCheck {
    let log: FaultLog
    /// Whether the file is one of our own.
    let isOurs: Bool
    let track: TrackLayout
    let entry: SampleDescription

    func check() {
        checkDisplaySize()
        guard entry.format == "avc1" || entry.format == "avc3" else { return }
        guard let avc = entry.avc else {
            log.report(.configuration, "\(track.title): '\(entry.format)' has no usable decoder configuration 'avcC'")
            return
        }
        var sequenceNumbers: Set<Int> = []
        for (number, bytes) in avc.sequenceSets.enumerated() {
            do {
                let set = try SequenceParameterSet(bytes)
                if !sequenceNumbers.insert(set.id).inserted {
                    log.report(.configuration, "\(track.title): two sequence parameter sets have the number \(set.id)")
                }
                check(set, against: avc, isFirst: number == 0)
            } catch {
                log.report(.configuration, "\(track.title): sequence parameter set \(number + 1): \(error.cause)")
            }
        }
        for (number, bytes) in avc.pictureSets.enumerated() {
            do {
                let set = try PictureParameterSet(bytes)
                guard !sequenceNumbers.contains(set.sequenceID) else { continue }
                log.report(
                    .configuration,
                    "\(track.title): picture parameter set \(set.id) refers to sequence parameter set \(set.sequenceID), "
                        + "which there is not")
            } catch {
                log.report(.configuration, "\(track.title): picture parameter set \(number + 1): \(error.cause)")
            }
        }
    }

    private func check(_ set: SequenceParameterSet, against avc: AVCDecoderConfiguration, isFirst: Bool) {
        if set.profile != avc.profile || set.constraints != avc.compatibility {
            log.report(
                .profile,
                "\(track.title): 'avcC' says profile \(avc.profile) with constraints \(avc.compatibility), the sequence "
                    + "parameter set says \(set.profile) with \(set.constraints)")
        }
        if set.level != avc.level {
            log.report(
                .level,
                "\(track.title): 'avcC' says level \(avc.level), the sequence parameter set says \(set.level)")
        }
        if let chroma = avc.extended,
            Int(chroma.chromaFormat) != set.chromaFormat || Int(chroma.lumaBitDepth) != set.lumaBitDepth
                || Int(chroma.chromaBitDepth) != set.chromaBitDepth
        {
            log.report(
                .chroma,
                "\(track.title): 'avcC' says chroma format \(chroma.chromaFormat) with \(chroma.lumaBitDepth) and "
                    + "\(chroma.chromaBitDepth) bits, the sequence parameter set says \(set.chromaFormat) with "
                    + "\(set.lumaBitDepth) and \(set.chromaBitDepth)")
        }
        guard isFirst else { return }
        if set.width != entry.width || set.height != entry.height {
            log.report(
                .pictureSize,
                "\(track.title): '\(entry.format)' says \(entry.width)x\(entry.height), the sequence parameter set says "
                    + "\(set.width)x\(set.height)")
        }
        checkColor(set.usability?.color)
        checkPixelAspect(set.usability?.sampleAspectRatio)
    }

    /// 2 is "unspecified" in each of the code points: it says nothing, so that it contradicts nothing.
    private func checkColor(_ stream: ColorDescription?) {
        if isOurs, entry.color == nil || stream == nil {
            log.report(
                .color,
                "\(track.title): " + (entry.color == nil ? "'\(entry.format)' has no 'colr'" : "the stream has no VUI")
                    + " that says what its colours are")
        }
        guard let color = entry.color, let stream else { return }
        let pairs = [
            ("primaries", color.description.primaries, stream.primaries),
            ("transfer", color.description.transfer, stream.transfer),
            ("matrix", color.description.matrix, stream.matrix),
        ]
        for (name, box, vui) in pairs where box != vui && (isOurs || (box != 2 && vui != 2)) {
            log.report(.color, "\(track.title): 'colr' says \(name) \(box), the sequence parameter set says \(vui)")
        }
        if color.kind == "nclx", color.description.isFullRange != stream.isFullRange {
            log.report(
                .color,
                "\(track.title): 'colr' says \(color.description.isFullRange ? "full" : "limited") range, the sequence "
                    + "parameter set says \(stream.isFullRange ? "full" : "limited") range")
        }
    }

    private func checkPixelAspect(_ stream: VideoUsability.SampleAspectRatio?) {
        guard let box = entry.pixelAspect else { return }
        guard box.horizontal > 0, box.vertical > 0 else {
            log.report(.pixelAspect, "\(track.title): 'pasp' says \(box.horizontal):\(box.vertical), which is no shape")
            return
        }
        guard let stream else { return }
        if UInt64(box.horizontal) * UInt64(stream.height) != UInt64(box.vertical) * UInt64(stream.width) {
            log.report(
                .pixelAspect,
                "\(track.title): 'pasp' says \(box.horizontal):\(box.vertical), the sequence parameter set says "
                    + "\(stream.width):\(stream.height)")
        }
    }

    /// The size at which a track is shown is its picture's, with pixels made square in one direction or the other.
    private func checkDisplaySize() {
        if entry.width == 0 || entry.height == 0 {
            log.report(.pictureSize, "\(track.title): '\(entry.format)' says \(entry.width)x\(entry.height)")
            return
        }
        let shown = (Double(track.displayWidth) / 65536, Double(track.displayHeight) / 65536)
        var allowed = [(Double(entry.width), Double(entry.height))]
        if let aspect = entry.pixelAspect, aspect.horizontal > 0, aspect.vertical > 0 {
            let ratio = Double(aspect.horizontal) / Double(aspect.vertical)
            allowed.append((Double(entry.width) * ratio, Double(entry.height)))
            allowed.append((Double(entry.width), Double(entry.height) / ratio))
        }
        let slack = isOurs ? 0.0 : 1.0
        if !allowed.contains(where: { abs($0.0 - shown.0) <= slack && abs($0.1 - shown.1) <= slack }) {
            log.report(
                .displaySize,
                "\(track.title): 'tkhd' shows it at \(Self.text(shown.0))x\(Self.text(shown.1)), but its picture has "
                    + "\(entry.width)x\(entry.height)")
        }
    }

    private static func text(_ size: Double) -> String {
        size == size.rounded() ? String(Int(size)) : String(size)
    }
}
