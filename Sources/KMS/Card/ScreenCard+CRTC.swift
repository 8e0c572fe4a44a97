import CDRM
import Glibc
import Linux

/// What a CRTC does: the part of a card that scans framebuffers out.
extension ScreenCard {
    /// The mode in which a CRTC drives its screen; nil for none.
    func timing(of crtc: UInt32) throws(Errno) -> drm_mode_modeinfo? {
        var state = drm_mode_crtc()
        state.crtc_id = crtc
        try request(CDRM_MODE_GETCRTC, &state)
        return state.mode_valid != 0 ? state.mode : nil
    }

    /// The pixel of the framebuffer that is the screen's first one.
    func corner(of crtc: UInt32) throws(Errno) -> (x: UInt32, y: UInt32) {
        var state = drm_mode_crtc()
        state.crtc_id = crtc
        try request(CDRM_MODE_GETCRTC, &state)
        return (state.x, state.y)
    }

    /// Where among a CRTC's properties the one is that tells whether it is switched on; nil where the driver does not tell.
    func activePlace(of crtc: UInt32, _ values: inout PropertyValues) throws(Errno) -> Int? {
        try values.read(self, object: crtc, kind: UInt32(DRM_MODE_OBJECT_CRTC))
        for place in 0..<values.count where try PropertyName(values.id(place), of: self).name == "ACTIVE" {
            return place
        }
        return nil
    }

    /// Whether a CRTC is switched on (ACTIVE): one that sleeps keeps its mode.
    /// - Parameter place: from `activePlace`.
    func isActive(_ crtc: UInt32, _ values: inout PropertyValues, at place: Int?) -> Bool {
        guard (try? values.read(self, object: crtc, kind: UInt32(DRM_MODE_OBJECT_CRTC))) != nil else { return false }
        return values.value(place, or: 1) != 0
    }

    /// Whether the driver tells of a CRTC's vertical blanks.
    func hasBlanks(_ crtc: UInt32) -> Bool {
        var answer = drm_crtc_get_sequence()
        answer.crtc_id = crtc
        return (try? request(CDRM_CRTC_GET_SEQUENCE, &answer)) != nil
    }

    /// Number and moment of the last vertical blank (CLOCK_MONOTONIC).
    /// - Throws: `Errno`: EINVAL for a CRTC that is off, EOPNOTSUPP where the driver has no blanks.
    func lastBlank(of crtc: UInt32) throws(Errno) -> (sequence: UInt64, nanoseconds: Int64) {
        var answer = drm_crtc_get_sequence()
        answer.crtc_id = crtc
        try request(CDRM_CRTC_GET_SEQUENCE, &answer)
        return (answer.sequence, answer.sequence_ns)
    }

    /// Orders an event for a blank, which comes at once when that has been.
    func orderBlank(_ sequence: UInt64, of crtc: UInt32, token: UInt64) throws(Errno) {
        var order = drm_crtc_queue_sequence()
        order.crtc_id = crtc
        order.sequence = sequence
        order.user_data = token
        try request(CDRM_CRTC_QUEUE_SEQUENCE, &order)
    }
}
