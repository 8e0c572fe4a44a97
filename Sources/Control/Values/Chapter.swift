extension RecorderAPI {
    /// The beginning of a chapter.
    public struct Chapter: Codable, Sendable, Hashable {
        /// Nanoseconds of the recording, pauses left out.
        public var time: Int64
        /// Its title; nil for one that was given none.
        public var label: String?

        enum CodingKeys: String, CodingKey {
            case label
            case time = "time_ns"
        }

        public init(time: Int64, label: String? = nil) {
            self.time = time
            self.label = label
        }
    }
}
