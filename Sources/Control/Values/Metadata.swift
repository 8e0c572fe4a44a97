extension RecorderAPI {
    /// What people say of a recording.
    public struct Metadata: Codable, Sendable, Hashable {
        public var title: String?
        public var author: String?
        public var comment: String?

        enum CodingKeys: String, CodingKey, CaseIterable {
            case title, author, comment
        }

        public init(title: String? = nil, author: String? = nil, comment: String? = nil) {
            self.title = title
            self.author = author
            self.comment = comment
        }

        /// The names of its fields on the wire.
        static var names: [String] { CodingKeys.allCases.map(\.rawValue) }
    }
}
