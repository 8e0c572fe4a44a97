import CX264

/// The steps between which the encoder moves while it runs, from the most effort to the least. All of them write streams with
/// the same parameter sets, so that a change of step never needs a new file; x264 takes a step at a frame's start.
enum EffortStep: Int, CaseIterable, Sendable {
    /// x264's preset superfast.
    case whole
    /// Macroblocks are neither divided nor transformed in larger blocks, and block edges are not smoothed.
    case plain
    /// Motion is found to the whole pixel only. x264 cannot leave this step again.
    case coarse

    /// What a person reads.
    var name: String {
        switch self {
        case .whole: "superfast"
        case .plain: "superfast without refinements"
        case .coarse: "superfast with coarse motion"
        }
    }

    /// The next step of less effort; nil at the last.
    var less: EffortStep? { EffortStep(rawValue: rawValue + 1) }
    /// The next step of more effort; nil at the first, and at the last.
    var more: EffortStep? { self == .plain ? .whole : nil }

    /// Roughly the time that a frame takes, as a share of the first step's.
    var cost: Double {
        switch self {
        case .whole: 1
        case .plain: 0.87
        case .coarse: 0.78
        }
    }

    /// Sets what differs between the steps. x264 can change these on the way (`x264_encoder_reconfig`).
    /// - Parameter parameters: those of the preset superfast.
    func apply(to parameters: inout x264_param_t) {
        let partitions = UInt32(X264_ANALYSE_I4x4 | X264_ANALYSE_I8x8)
        parameters.analyse.inter = self == .whole ? partitions : 0
        parameters.analyse.intra = self == .whole ? partitions : 0
        parameters.analyse.b_transform_8x8 = self == .whole ? 1 : 0
        parameters.b_deblocking_filter = self == .whole ? 1 : 0
        parameters.analyse.i_subpel_refine = self == .coarse ? 0 : 1
    }
}
