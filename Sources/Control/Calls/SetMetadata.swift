extension RecorderAPI {
    /// What is said of the next recording.
    public enum SetMetadata: RecorderCall {
        public static let method = RecorderMethod.setMetadata
        public typealias Reply = Nothing

        public struct Parameters: CallParameters, Hashable {
            public var metadata: Metadata

            public static var names: [String: [String]] { ["metadata": Metadata.names] }

            public init(metadata: Metadata) {
                self.metadata = metadata
            }
        }
    }
}
