import CX264

/// The steps between which the encoder moves while it runs, from the most effort to the least. All of them write streams with
/// the same parameter sets, so that a change of step never needs a new file; x264 takes a step at a frame's start.
enum EffortStep: Int, CaseIterable, Sendable {
    /// x264's preset superfast.
    case whole
    /// Macroblocks are not divided.
    case undivided
    /// Nor are block edges smoothed.
    case unsmoothed

    /// What a person reads.
    var name: String {
        switch self {
        case .whole: "superfast"
        case .undivided: "superfast without partitions"
        case .unsmoothed: "superfast without partitions and deblocking"
        }
    }

    /// The next step of less effort; nil at the last.
    var less: EffortStep? { EffortStep(rawValue: rawValue + 1) }
    /// The next step of more effort; nil at the first.
    var more: EffortStep? { EffortStep(rawValue: rawValue - 1) }

    /// Roughly the time that a frame takes, as a share of the first step's.
    var cost: Double {
        switch self {
        case .whole: 1
        case .undivided: 0.8
        case .unsmoothed: 0.7
        }
    }

    /// Sets what differs between the steps. x264 can change these on the way (`x264_encoder_reconfig`).
    /// - Parameter parameters: those of the preset superfast.
    func apply(to parameters: inout x264_param_t) {
        let partitions = UInt32(X264_ANALYSE_I4x4 | X264_ANALYSE_I8x8)
        parameters.analyse.inter = self == .whole ? partitions : 0
        parameters.analyse.intra = self == .whole ? partitions : 0
        parameters.b_deblocking_filter = self == .unsmoothed ? 0 : 1
    }
}
