extension RecorderAPI {
    /// A recording on a medium.
    public struct Clip: Codable, Sendable, Hashable {
        /// The file that it begins with.
        public var path: String
        /// The name of the medium that it is on.
        public var medium: String
        /// When it was begun, in the form of RFC 3339.
        public var started: String?
        /// Nanoseconds, all parts together.
        public var duration: Int64?
        public var bytes: Int64?
        /// The number of files.
        public var parts: Int?
        /// False for one that is being recorded or was never finished.
        public var isWhole: Bool?
        public var metadata: Metadata?

        enum CodingKeys: String, CodingKey {
            case path, medium, started, bytes, parts, metadata
            case duration = "duration_ns"
            case isWhole = "whole"
        }

        public init(
            path: String, medium: String, started: String? = nil, duration: Int64? = nil, bytes: Int64? = nil,
            parts: Int? = nil, isWhole: Bool? = nil, metadata: Metadata? = nil
        ) {
            self.path = path
            self.medium = medium
            self.started = started
            self.duration = duration
            self.bytes = bytes
            self.parts = parts
            self.isWhole = isWhole
            self.metadata = metadata
        }
    }
}
