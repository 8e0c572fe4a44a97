extension RecorderAPI {
    /// Lets the recording end later than it was to.
    public enum Extend: RecorderCall {
        public static let method = RecorderMethod.extend

        public struct Parameters: CallParameters, Hashable {
            /// Seconds more.
            public var duration: Double

            public static var names: [String: [String]] { ["duration": []] }

            public init(duration: Double) {
                self.duration = duration
            }
        }

        public struct Reply: Codable, Sendable, Hashable {
            /// Nanoseconds of the recording until it ends by itself.
            public var remaining: Int64?

            enum CodingKeys: String, CodingKey {
                case remaining = "remaining_ns"
            }

            public init(remaining: Int64? = nil) {
                self.remaining = remaining
            }
        }
    }
}
