import Media

/// Sample entries: how the samples of a track are to be decoded (ISO/IEC 14496-12, 8.5.2).
enum SampleEntryBox {
    /// `avc1` (ISO/IEC 14496-15, 5.4.2) with `avcC`, `colr`, `pasp` and `btrt`.
    /// - Throws: `Failure` of kind encoderFailed when the parameter sets cannot be read.
    static func entry(of track: VideoTrack) throws(Failure) -> [UInt8] {
        let configuration: AVCDecoderConfiguration
        do {
            configuration = try AVCDecoderConfiguration(track.parameterSets)
        } catch {
            throw Failure(.encoderFailed, "cannot describe the picture", because: "\(error)")
        }
        var writer = ByteWriter(reserving: 256)
        writer.put(box: "avc1") { entry in
            entry.put(repeating: 0, count: 6)
            entry.put16(1)
            entry.put(repeating: 0, count: 16)
            entry.put16(UInt16(clamping: track.width))
            entry.put16(UInt16(clamping: track.height))
            entry.put32(72 << 16)
            entry.put32(72 << 16)
            entry.put32(0)
            entry.put16(1)
            entry.put(repeating: 0, count: 32)
            entry.put16(0x18)
            entry.put16(0xFFFF)
            entry.put(box: "avcC") { $0.put(configuration.bytes) }
            entry.put(box: "colr") { box in
                box.put32(BoxType("nclx").code)
                box.put16(UInt16(track.color.primaries))
                box.put16(UInt16(track.color.transfer))
                box.put16(UInt16(track.color.matrix))
                box.put8(track.color.isFullRange ? 0x80 : 0)
            }
            entry.put(box: "pasp") { box in
                box.put32(1)
                box.put32(1)
            }
            putBitRate(buffer: 0, peak: 0, average: 0, into: &entry)
        }
        return writer.bytes
    }

    /// `mp4a` (ISO/IEC 14496-14, 5.6) with `esds` and `btrt`.
    static func entry(of track: AudioTrack) -> [UInt8] {
        var writer = ByteWriter(reserving: 128)
        writer.put(box: "mp4a") { entry in
            entry.put(repeating: 0, count: 6)
            entry.put16(1)
            entry.put(repeating: 0, count: 8)
            entry.put16(UInt16(clamping: track.format.channels))
            entry.put16(16)
            entry.put32(0)
            // The field has 16 bits before the point; a rate above them is told by the AudioSpecificConfig alone.
            entry.put32(track.format.rate <= 0xFFFF ? UInt32(track.format.rate) << 16 : 0)
            entry.put(fullBox: "esds") { putElementaryStream(track, into: &$0) }
            let bitrate = UInt32(clamping: track.bitrate)
            putBitRate(buffer: buffer(of: track), peak: bitrate, average: bitrate, into: &entry)
        }
        return writer.bytes
    }

    /// `btrt` (ISO/IEC 14496-12, 8.5.2.2).
    static func putBitRate(buffer: UInt32, peak: UInt32, average: UInt32, into writer: inout ByteWriter) {
        writer.put(box: "btrt") { box in
            box.put32(buffer)
            box.put32(peak)
            box.put32(average)
        }
    }

    /// The most bytes of an AAC frame: 6144 bits a channel (ISO/IEC 14496-3, 4.5.3.3).
    private static func buffer(of track: AudioTrack) -> UInt32 { UInt32(clamping: 768 * track.format.channels) }

    /// ES_Descriptor (ISO/IEC 14496-1, 7.2.6.5) of AAC: no dependence, no URL, predefined sync layer.
    private static func putElementaryStream(_ track: AudioTrack, into writer: inout ByteWriter) {
        let bitrate = UInt32(clamping: track.bitrate)
        writer.put(descriptor: 3) { stream in
            stream.put16(0)
            stream.put8(0)
            stream.put(descriptor: 4) { decoder in
                decoder.put8(0x40)
                decoder.put8(0x15)
                decoder.put24(buffer(of: track))
                decoder.put32(bitrate)
                decoder.put32(bitrate)
                decoder.put(descriptor: 5) { $0.put(track.specificConfig) }
            }
            stream.put(descriptor: 6) { $0.put8(2) }
        }
    }
}

extension ByteWriter {
    /// Puts a descriptor (ISO/IEC 14496-1, 8.3.3); its length takes four bytes, as players have always met it.
    fileprivate mutating func put(descriptor tag: UInt8, _ body: (inout ByteWriter) -> Void) {
        put8(tag)
        let start = count
        put32(0)
        body(&self)
        let length = UInt32(count - start - 4)
        let spread = (0..<4).reduce(UInt32(0)) { sum, index in
            let byte = (length >> UInt32(21 - 7 * index)) & 0x7F | (index < 3 ? 0x80 : 0)
            return sum << 8 | byte
        }
        replace32(at: start, with: spread)
    }
}
