import CKernel
import Media

/// The levels of H.264 that an encoder offers, as the values of its control (V4L2_CID_MPEG_VIDEO_H264_LEVEL).
struct LevelLadder {
    /// Values of the control, lowest first.
    private let steps: [Int32]

    /// level_idc of each of the control's values in their order; level 1b has the number 9.
    private static let numbers: [UInt8] = [
        10, 9, 11, 12, 13, 20, 21, 22, 30, 31, 32, 40, 41, 42, 50, 51, 52, 60, 61, 62,
    ]

    /// - Parameter menu: the values that the control takes.
    init(menu: [Int32]) {
        steps = menu.filter { $0 >= 0 && $0 < Self.numbers.count && Self.numbers[Int($0)] != 9 }.sorted()
    }

    /// The lowest value that is enough; the highest there is where none is.
    /// - Parameter level: what the stream needs; nil when it needs more than any level.
    func value(for level: H264Level?) -> Int32? {
        guard let level else { return steps.last }
        return steps.first { Self.numbers[Int($0)] >= level.idc } ?? steps.last
    }

    /// The next value up; nil above the highest.
    func next(above value: Int32) -> Int32? { steps.first { $0 > value } }
}
