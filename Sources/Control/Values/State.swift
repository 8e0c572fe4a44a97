extension RecorderAPI {
    /// What the recorder does.
    public enum State: String, Codable, Sendable, CaseIterable {
        case idle, arming, recording, paused, finalising, pending, fault
    }

    /// What the recording light shows.
    public enum Light: String, Codable, Sendable, CaseIterable {
        case off, arming, steady, notch, unsaved, paused, pending, finalising, blinks
    }

    /// What somebody should look at although the recording is safe.
    public enum Warning: String, Codable, Sendable, CaseIterable {
        case space, drops, silence, clock
    }

    /// Why a recording ended.
    public enum End: String, Codable, Sendable, CaseIterable {
        case stopped, duration, source, signal, failure
    }
}
