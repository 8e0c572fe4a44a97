extension RecorderAPI {
    /// Everything about the recorder now.
    public enum GetStatus: RecorderCall {
        public static let method = RecorderMethod.getStatus
        public typealias Parameters = Nothing

        public struct Reply: Codable, Sendable, Hashable {
            public var status: Status
        }
    }
}
