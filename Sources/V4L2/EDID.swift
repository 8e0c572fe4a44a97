import Media

/// What a display, or here an HDMI input, tells a source of itself (VESA E-EDID, CTA-861): blocks of 128 bytes.
public struct EDID: Hashable, Sendable {
    /// All blocks, checked.
    public let bytes: [UInt8]
    /// Bytes of a block.
    public static let blockSize = 128
    private static let mostBlocks = 256
    private static let header: [UInt8] = [0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0]

    /// - Parameters:
    ///   - bytes: the first block and its extensions, as many as the first block says.
    ///   - name: what it is called when it is refused: a file's path.
    /// - Throws: `Failure` of kind invalidValue when it begins with another header, is not whole, or the bytes of a block do
    ///   not sum up to 0 modulo 256.
    public init(_ bytes: [UInt8], named name: String) throws(Failure) {
        let thing = "cannot use \(name) as an EDID"
        let mend = "Make it anew, for example with v4l2-ctl --get-edid or edid-decode."
        guard bytes.count >= Self.blockSize, bytes.starts(with: Self.header) else {
            throw Failure(.invalidValue, thing, because: "it does not begin as one", mend: mend)
        }
        let blocks = 1 + Int(bytes[126])
        guard bytes.count == blocks * Self.blockSize, blocks <= Self.mostBlocks else {
            throw Failure(
                .invalidValue, thing,
                because: "it says that it has \(blocks * Self.blockSize) bytes and has \(bytes.count)", mend: mend)
        }
        for block in 0..<blocks {
            let sum = bytes[block * Self.blockSize..<(block + 1) * Self.blockSize].reduce(0, &+)
            guard sum == 0 else {
                throw Failure(
                    .invalidValue, thing, because: "the checksum of its block \(block) is wrong", mend: mend)
            }
        }
        self.bytes = bytes
    }

    /// Blocks of 128 bytes.
    public var blockCount: Int { bytes.count / Self.blockSize }

    /// Whether a device that gives `others` back has this one: drivers write the physical address of the CEC bus, and with
    /// it a checksum, into what they were given.
    public func isKept(in others: [UInt8]) -> Bool {
        guard others.count == bytes.count else { return false }
        let differences = bytes.indices.filter { bytes[$0] != others[$0] }
        guard let first = differences.first, let last = differences.last else { return true }
        let isOneBlock = first / Self.blockSize == last / Self.blockSize
        return first >= Self.blockSize && isOneBlock && last % Self.blockSize == Self.blockSize - 1
            && differences.count <= 3
    }
}
