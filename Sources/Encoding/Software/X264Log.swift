import CX264

/// Keeps x264's last error message, instead of having it printed.
///
/// x264 may write from its own threads; a message that is torn by another is still a message.
final class X264Log: @unchecked Sendable {
    // Unchecked because of the buffer, which always ends with a zero whoever writes to it.
    private let message: UnsafeMutablePointer<CChar>

    init() {
        message = .allocate(capacity: Int(KINEBOX_X264_MESSAGE))
        message.initialize(repeating: 0, count: Int(KINEBOX_X264_MESSAGE))
    }

    deinit {
        message.deallocate()
    }

    /// Has errors kept here; the log must live as long as the encoder does.
    func attach(to parameters: inout x264_param_t) {
        kinebox_x264_log_to(&parameters, message)
    }

    /// The last error without its line end; a general one where x264 gave none.
    var cause: String {
        let text = String(cString: message)
        return text.isEmpty ? "x264 gave no reason" : "x264 says: " + text.prefix { $0 != "\n" }
    }
}
