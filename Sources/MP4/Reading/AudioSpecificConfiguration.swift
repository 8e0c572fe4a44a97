/// The decoder configuration of MPEG-4 sound (ISO/IEC 14496-3, 1.6.2.1), as far as players need it.
struct AudioSpecificConfiguration: Hashable {
    /// 2 for AAC-LC, 5 and 29 for its extensions.
    var objectType: Int
    /// Samples a second of the core.
    var rate: Int
    /// 0 where the configuration lies elsewhere in the stream.
    var channels: Int
    /// Samples a second with spectral band replication, where the configuration announces it.
    var extendedRate: Int?
    /// Samples of a frame, 1024 or 960.
    var frameLength: Int

    /// - Parameter bytes: the configuration, from its first bit.
    init(_ bytes: [UInt8]) throws(ContentFault) {
        var bits = Bits(bytes: bytes)
        objectType = try Self.objectType(&bits)
        rate = try Self.rate(&bits)
        let channelConfiguration = try bits.take(4)
        guard channelConfiguration <= 7 else { throw ContentFault("has channel configuration \(channelConfiguration)") }
        channels = channelConfiguration == 7 ? 8 : channelConfiguration
        if objectType == 5 || objectType == 29 {
            extendedRate = try Self.rate(&bits)
            _ = try Self.objectType(&bits)
        }
        frameLength = try bits.take(1) == 1 ? 960 : 1024
    }

    private static let rates = [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
    ]

    private static func rate(_ bits: inout Bits) throws(ContentFault) -> Int {
        let index = try bits.take(4)
        if index == 15 { return try bits.take(24) }
        guard index < rates.count else { throw ContentFault("has the reserved sampling frequency \(index)") }
        return rates[index]
    }

    private static func objectType(_ bits: inout Bits) throws(ContentFault) -> Int {
        let type = try bits.take(5)
        guard type != 0 else { throw ContentFault("has the audio object type 0") }
        return type == 31 ? 32 + (try bits.take(6)) : type
    }

    private struct Bits {
        let bytes: [UInt8]
        var position = 0

        mutating func take(_ count: Int) throws(ContentFault) -> Int {
            guard position + count <= bytes.count * 8 else {
                throw ContentFault("ends within its \(bytes.count) bytes")
            }
            var value = 0
            for bit in position..<(position + count) {
                value = value << 1 | Int(bytes[bit >> 3] >> UInt8(7 - bit & 7) & 1)
            }
            position += count
            return value
        }
    }
}
