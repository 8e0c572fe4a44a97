extension RecorderAPI {
    /// Starts a recording.
    public enum Start: RecorderCall {
        public static let method = RecorderMethod.start

        public struct Parameters: CallParameters, Hashable {
            /// The file's name without folder; nil for one of date, time and counter.
            public var name: String?
            public var metadata: Metadata?
            /// Seconds after which the recording ends by itself.
            public var duration: Double?
            /// The name of the medium; nil for the preferred one.
            public var medium: String?

            public static var names: [String: [String]] {
                ["name": [], "metadata": Metadata.names, "duration": [], "medium": []]
            }

            public init(
                name: String? = nil, metadata: Metadata? = nil, duration: Double? = nil, medium: String? = nil
            ) {
                self.name = name
                self.metadata = metadata
                self.duration = duration
                self.medium = medium
            }
        }

        public struct Reply: Codable, Sendable, Hashable {
            /// `recording`, or `pending` while something is waited for.
            public var state: State
            public var clip: Clip?
            /// The path of `clip`.
            public var path: String?
            /// When the call was read: nanoseconds of CLOCK_MONOTONIC.
            public var requested: Int64
            /// When the first picture was captured: nanoseconds of CLOCK_MONOTONIC.
            public var firstFrame: Int64?
            /// What is waited for.
            public var problem: Problem?

            enum CodingKeys: String, CodingKey {
                case state, clip, path, problem
                case requested = "requested_ns"
                case firstFrame = "first_frame_ns"
            }

            public init(
                _ state: State, clip: Clip? = nil, requested: Int64, firstFrame: Int64? = nil, problem: Problem? = nil
            ) {
                self.state = state
                self.clip = clip
                path = clip?.path
                self.requested = requested
                self.firstFrame = firstFrame
                self.problem = problem
            }
        }
    }
}
