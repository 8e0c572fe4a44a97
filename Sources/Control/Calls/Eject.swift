extension RecorderAPI {
    /// Takes a medium off.
    public enum Eject: RecorderCall {
        public static let method = RecorderMethod.eject

        public struct Parameters: CallParameters, Hashable {
            /// The medium's name; nil for the one that is chosen.
            public var medium: String?

            public static var names: [String: [String]] { ["medium": []] }

            public init(medium: String? = nil) {
                self.medium = medium
            }
        }

        public struct Reply: Codable, Sendable, Hashable {
            /// The name of the medium that can be pulled.
            public var medium: String

            public init(medium: String) {
                self.medium = medium
            }
        }
    }
}
