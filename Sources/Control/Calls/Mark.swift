extension RecorderAPI {
    /// Begins a chapter.
    public enum Mark: RecorderCall {
        public static let method = RecorderMethod.mark

        public struct Parameters: CallParameters, Hashable {
            /// The chapter's title.
            public var label: String?

            public static var names: [String: [String]] { ["label": []] }

            public init(label: String? = nil) {
                self.label = label
            }
        }

        public struct Reply: Codable, Sendable, Hashable {
            /// The chapter's time in the recording, in nanoseconds.
            public var time: Int64?

            enum CodingKeys: String, CodingKey {
                case time = "time_ns"
            }

            public init(time: Int64? = nil) {
                self.time = time
            }
        }
    }
}
