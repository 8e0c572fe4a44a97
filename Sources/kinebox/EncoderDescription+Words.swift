import Encoding
import V4L2

extension EncoderDescription {
    /// "takes NV12, YU12, 16x16 to 4096x4096; single-planar, driver vh264enc, /dev/video4".
    var words: String {
        let interface = inputType.isMultiplanar ? "multi-planar" : "single-planar"
        let sizes = sizes.map { ", \($0.words)" } ?? ""
        return "takes \(DevicesCommand.names(inputs))\(sizes); \(interface), driver \(driver), \(path)"
    }
}

extension V4L2Sizes {
    /// "16x16 to 4096x4096".
    var words: String {
        switch self {
        case .discrete(let sizes): sizes.map(\.description).joined(separator: ", ")
        case .stepwise(let smallest, let largest, _): "\(smallest) to \(largest)"
        }
    }
}
