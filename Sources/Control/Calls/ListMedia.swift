extension RecorderAPI {
    /// All media that are attached, the preferred one first.
    public enum ListMedia: RecorderCall {
        public static let method = RecorderMethod.listMedia
        public typealias Parameters = Nothing

        public struct Reply: Codable, Sendable, Hashable {
            public var media: [Medium]
        }
    }
}
