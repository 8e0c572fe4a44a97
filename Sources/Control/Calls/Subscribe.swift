extension RecorderAPI {
    /// Follows the recorder: the present state first, then a reply after each change.
    public enum Subscribe: RecorderCall {
        public static let method = RecorderMethod.subscribe
        public typealias Parameters = Nothing

        public struct Reply: Codable, Sendable, Hashable {
            public var status: Status
            public var media: [Medium]
            /// What has happened since the last reply.
            public var notices: [Notice]
            /// How many notices before those were missed.
            public var missed: Int
        }
    }
}
