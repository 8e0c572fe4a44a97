extension RecorderAPI {
    /// Saves the newest picture.
    public enum Snapshot: RecorderCall {
        public static let method = RecorderMethod.snapshot
        public typealias Parameters = Nothing

        public struct Reply: Codable, Sendable, Hashable {
            /// Where it is.
            public var path: String

            public init(path: String) {
                self.path = path
            }
        }
    }
}
