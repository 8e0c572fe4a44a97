extension RecorderAPI {
    /// Something that happened.
    public struct Notice: Codable, Sendable, Hashable {
        /// How grave it is.
        public enum Grade: String, Codable, Sendable, CaseIterable {
            case information, warning, failure
        }

        /// Counts up by one for each notice since the daemon started.
        public var number: Int
        /// Nanoseconds of CLOCK_MONOTONIC.
        public var moment: Int64
        public var grade: Grade
        /// What a person is told.
        public var text: String

        enum CodingKeys: String, CodingKey {
            case number, grade, text
            case moment = "moment_ns"
        }
    }
}
