extension RecorderAPI {
    /// Recordings on the media, the newest first.
    public enum ListClips: RecorderCall {
        public static let method = RecorderMethod.listClips
        /// The most clips of one reply.
        public static let mostClips = 100

        public struct Parameters: CallParameters, Hashable {
            /// The name of a medium; nil for all.
            public var medium: String?
            /// The most clips to be listed, 1 to `mostClips`; nil for `mostClips`.
            public var limit: Int?
            /// The path behind which to go on.
            public var after: String?

            public static var names: [String: [String]] { ["medium": [], "limit": [], "after": []] }

            public init(medium: String? = nil, limit: Int? = nil, after: String? = nil) {
                self.medium = medium
                self.limit = limit
                self.after = after
            }
        }

        public struct Reply: Codable, Sendable, Hashable {
            public var clips: [Clip]
            /// What to give as `after` for further ones; nil when there are none.
            public var next: String?

            public init(clips: [Clip], next: String? = nil) {
                self.clips = clips
                self.next = next
            }
        }
    }
}

extension RecorderAPI.ListClips.Reply {
    /// The first half of the clips, the rest left for a further call; nil when there is only one.
    var half: Self? {
        let kept = Array(clips.prefix(clips.count / 2))
        return kept.last.map { Self(clips: kept, next: $0.path) }
    }
}
