import Media

/// Reads a sample description and reports what is malformed in it.
struct SampleDescriptionParser {
    let window: FileWindow
    let log: FaultLog
    /// What messages call the track.
    let title: String

    /// Reads a description.
    /// - Parameters:
    ///   - box: the description's box.
    ///   - handler: the kind of its track.
    /// - Returns: nil when even its first fields are missing.
    func read(_ box: BoxHeader, handler: BoxType) -> SampleDescription? {
        do {
            var reader = ByteReader(try box.content(window, limit: 28 + 36))
            guard reader.skip(6), let reference = reader.take16() else {
                log.report(.boxContent, "\(title): the sample description \(box.name) is shorter than its fields")
                return nil
            }
            var entry = SampleDescription(box: box, dataReferenceIndex: reference)
            switch handler {
            case "vide": try readVisual(&entry, &reader)
            case "soun": try readSound(&entry, &reader)
            default: break
            }
            return entry
        } catch {
            log.report(error, in: box)
            return nil
        }
    }

    /// Where the boxes inside a description begin, behind the fields; nil where the fields are not all there or the kind of
    /// description is not known.
    static func fieldSize(_ box: BoxHeader, handler: BoxType, _ window: FileWindow) -> Int64? {
        switch handler {
        case "vide": return box.payloadSize >= 78 ? 78 : nil
        case "soun":
            guard box.payloadSize >= 28, let bytes = try? box.content(window, limit: 28) else { return nil }
            // QuickTime's versions 1 and 2 of the description have more fields.
            let size: Int64 = bytes[9] == 1 ? 44 : bytes[9] == 2 ? 64 : 28
            return box.payloadSize >= size ? size : nil
        default: return nil
        }
    }

    private func readVisual(_ entry: inout SampleDescription, _ reader: inout ByteReader) throws(BoxFault) {
        guard let fields = Self.fieldSize(entry.box, handler: "vide", window), reader.skip(16),
            let width = reader.take16(), let height = reader.take16()
        else {
            log.report(.boxContent, "\(title): \(entry.box.name) has no room for the fields of a picture")
            return
        }
        entry.width = Int(width)
        entry.height = Int(height)
        var boxes = BoxSequence(window, inside: entry.box, skipping: fields)
        while let box = try? boxes.next() {
            switch box.type {
            case "avcC":
                let content = try box.content(window)
                entry.avc = checked(.configuration, box) { () throws(ContentFault) in try Self.configuration(content) }
            case "colr": try readColor(&entry, box)
            case "pasp":
                var fields = ByteReader(try box.content(window, limit: 9))
                guard let horizontal = fields.take32(), let vertical = fields.take32(), fields.remaining == 0 else {
                    log.report(.boxContent, "\(title): \(box.name) has \(box.payloadSize) bytes where 8 are needed")
                    continue
                }
                entry.pixelAspect = (horizontal, vertical)
            default: continue
            }
        }
    }

    private static func configuration(
        _ content: UnsafeRawBufferPointer
    ) throws(ContentFault) -> AVCDecoderConfiguration {
        let configuration: AVCDecoderConfiguration
        do {
            configuration = try AVCDecoderConfiguration(content)
        } catch {
            throw ContentFault("cannot be read: \(error.cause)")
        }
        let length = configuration.bytes.count
        guard length == content.count else {
            throw ContentFault("has \(content.count) bytes of which \(length) are used")
        }
        for (sets, type) in [(configuration.sequenceSets, 7), (configuration.pictureSets, 8)] as [([[UInt8]], UInt8)] {
            guard !sets.isEmpty else { throw ContentFault("has no parameter set of type \(type)") }
            for set in sets where (set.first ?? 0) & 0x9F != type {
                throw ContentFault("has a NAL unit of type \((set.first ?? 0) & 31) where type \(type) belongs")
            }
        }
        return configuration
    }

    private func readColor(_ entry: inout SampleDescription, _ box: BoxHeader) throws(BoxFault) {
        var fields = ByteReader(try box.content(window, limit: 16))
        guard let code = fields.take32() else {
            log.report(.boxContent, "\(title): \(box.name) has \(box.payloadSize) bytes where 10 or more are needed")
            return
        }
        let kind = BoxType(code)
        guard kind == "nclx" || kind == "nclc" else { return }
        guard let primaries = fields.take16(), let transfer = fields.take16(), let matrix = fields.take16() else {
            log.report(.boxContent, "\(title): \(box.name) ends within its code points")
            return
        }
        var isFullRange = false
        if kind == "nclx" {
            guard let range = fields.take8(), fields.remaining == 0, range & 0x7F == 0 else {
                log.report(.boxContent, "\(title): \(box.name) does not end with its range, or has reserved bits set")
                return
            }
            isFullRange = range & 0x80 != 0
        }
        entry.color = (
            kind,
            ColorDescription(
                primaries: UInt8(clamping: primaries), transfer: UInt8(clamping: transfer),
                matrix: UInt8(clamping: matrix), isFullRange: isFullRange)
        )
    }

    private func readSound(_ entry: inout SampleDescription, _ reader: inout ByteReader) throws(BoxFault) {
        guard reader.skip(8), let channels = reader.take16(), reader.skip(6), let rate = reader.take32(),
            let fields = Self.fieldSize(entry.box, handler: "soun", window)
        else {
            log.report(.boxContent, "\(title): \(entry.box.name) has no room for the fields of sound")
            return
        }
        entry.channels = Int(channels)
        entry.rate = Int(rate >> 16)
        // QuickTime puts the descriptor one level deeper.
        var found = entry.box.firstChildren(["esds", "wave"], window, skipping: fields)
        if found["esds"] == nil, let wave = found["wave"] { found = wave.firstChildren(["esds"], window) }
        guard let box = found["esds"] else { return }
        let content = try box.content(window)
        entry.stream = checked(.audioDescriptor, box) { () throws(ContentFault) in
            try ElementaryStreamDescriptor(content)
        }
        guard let stream = entry.stream, stream.objectType == 0x40 else { return }
        entry.audio = checked(.audioFormat, box) { () throws(ContentFault) in
            try AudioSpecificConfiguration(stream.decoderInformation)
        }
    }

    private func checked<Value>(
        _ code: FaultCode, _ box: BoxHeader, _ body: () throws(ContentFault) -> Value
    ) -> Value? {
        do {
            return try body()
        } catch {
            log.report(code, "\(title): \(box.name) \(error.reason)")
            return nil
        }
    }
}
