/// A level of H.264: what a decoder must be able to do (Rec. ITU-T H.264, table A-1).
public struct H264Level: Hashable, Sendable, CustomStringConvertible {
    /// level_idc: ten times the level's number.
    public let idc: UInt8
    /// Macroblocks a second (MaxMBPS).
    public let macroblocksPerSecond: Int
    /// Macroblocks a frame (MaxFS); a side may have at most the square root of eight times as many.
    public let macroblocksPerFrame: Int
    /// Macroblocks that the decoded picture buffer holds (MaxDpbMbs).
    public let bufferedMacroblocks: Int
    /// Bits a second in units of 1000 in the Baseline and Main profiles (MaxBR).
    let rate: Int
    /// Bits of the coded picture buffer in units of 1000 in the Baseline and Main profiles (MaxCPB).
    let buffer: Int

    private init(_ idc: UInt8, _ perSecond: Int, _ perFrame: Int, _ buffered: Int, _ rate: Int, _ buffer: Int) {
        self.idc = idc
        macroblocksPerSecond = perSecond
        macroblocksPerFrame = perFrame
        bufferedMacroblocks = buffered
        self.rate = rate
        self.buffer = buffer
    }

    /// All levels, the least first. Level 1b is left out: no other level is written so differently from profile to profile.
    public static let all: [H264Level] = [
        H264Level(10, 1485, 99, 396, 64, 175),
        H264Level(11, 3000, 396, 900, 192, 500),
        H264Level(12, 6000, 396, 2376, 384, 1000),
        H264Level(13, 11880, 396, 2376, 768, 2000),
        H264Level(20, 11880, 396, 2376, 2000, 2000),
        H264Level(21, 19800, 792, 4752, 4000, 4000),
        H264Level(22, 20250, 1620, 8100, 4000, 4000),
        H264Level(30, 40500, 1620, 8100, 10000, 10000),
        H264Level(31, 108000, 3600, 18000, 14000, 14000),
        H264Level(32, 216000, 5120, 20480, 20000, 20000),
        H264Level(40, 245760, 8192, 32768, 20000, 25000),
        H264Level(41, 245760, 8192, 32768, 50000, 62500),
        H264Level(42, 522240, 8704, 34816, 50000, 62500),
        H264Level(50, 589824, 22080, 110400, 135000, 135000),
        H264Level(51, 983040, 36864, 184320, 240000, 240000),
        H264Level(52, 2073600, 36864, 184320, 240000, 240000),
        H264Level(60, 4177920, 139264, 696320, 240000, 240000),
        H264Level(61, 8355840, 139264, 696320, 480000, 480000),
        H264Level(62, 16711680, 139264, 696320, 800000, 800000),
    ]

    /// The level with this level_idc; nil where there is none.
    public init?(idc: UInt8) {
        guard let level = Self.all.first(where: { $0.idc == idc }) else { return nil }
        self = level
    }

    /// The next level up; nil above the greatest.
    public var next: H264Level? { Self.all.first { $0.idc > idc } }

    /// The greatest bit rate in bits a second (A.3.1 and A.3.3).
    /// - Parameter profile: profile_idc; High allows a quarter more than Baseline and Main.
    public func maximumBitrate(profile: UInt8 = 100) -> Int { rate * Self.factor(profile) }

    /// The greatest coded picture buffer in bits.
    /// - Parameter profile: profile_idc.
    public func maximumBuffer(profile: UInt8 = 100) -> Int { buffer * Self.factor(profile) }

    /// Whether a picture of this size fits.
    public func admits(width: Int, height: Int) -> Bool {
        let (across, down) = ((width + 15) / 16, (height + 15) / 16)
        let side = 8 * macroblocksPerFrame
        return across * down <= macroblocksPerFrame && across * across <= side && down * down <= side
    }

    /// Reference frames that a picture of this size may have, at most 16.
    public func referenceFrames(width: Int, height: Int) -> Int {
        min(bufferedMacroblocks / max(((width + 15) / 16) * ((height + 15) / 16), 1), 16)
    }

    /// The least level that a progressive stream fits in.
    /// - Parameters:
    ///   - width: pixels a line.
    ///   - height: lines.
    ///   - rate: pictures a second.
    ///   - bitrate: the greatest rate in bits a second.
    ///   - buffer: bits of the coded picture buffer.
    ///   - referenceFrames: frames that pictures are predicted from, 1…16.
    ///   - profile: profile_idc.
    /// - Returns: nil when no level is great enough.
    public static func least(
        width: Int, height: Int, rate: FrameRate, bitrate: Int, buffer: Int = 0, referenceFrames: Int = 1,
        profile: UInt8 = 100
    ) -> H264Level? {
        let macroblocks = Int64(((width + 15) / 16) * ((height + 15) / 16))
        return all.first { level in
            level.admits(width: width, height: height)
                && macroblocks * rate.numerator <= Int64(level.macroblocksPerSecond) * rate.denominator
                && bitrate <= level.maximumBitrate(profile: profile)
                && buffer <= level.maximumBuffer(profile: profile)
                && referenceFrames <= level.referenceFrames(width: width, height: height)
        }
    }

    /// "4", "3.1".
    public var description: String { idc % 10 == 0 ? "\(idc / 10)" : "\(idc / 10).\(idc % 10)" }

    /// cpbBrVclFactor, table A-2.
    private static func factor(_ profile: UInt8) -> Int {
        switch profile {
        case 100: 1250
        case 110: 3000
        case 122, 244, 44: 4000
        default: 1000
        }
    }
}
