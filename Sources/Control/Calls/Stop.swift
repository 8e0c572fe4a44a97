extension RecorderAPI {
    /// Ends the recording.
    public enum Stop: RecorderCall {
        public static let method = RecorderMethod.stop
        public typealias Parameters = Nothing

        public struct Reply: Codable, Sendable, Hashable {
            public var end: End
            /// What failed; what was recorded until then is kept.
            public var problem: Problem?
            /// Nil when nothing was recorded.
            public var clip: Clip?
            /// The path of `clip`.
            public var path: String?
            /// All files, in their order.
            public var files: [String]
            /// Files that play as they are but could not be finished.
            public var unfinished: [String]
            /// When the first picture was captured: nanoseconds of CLOCK_MONOTONIC.
            public var firstFrame: Int64?
            /// When the last picture was captured.
            public var lastFrame: Int64?
            public var chapters: [Chapter] = []
            public var frames: Frames

            enum CodingKeys: String, CodingKey {
                case end, problem, clip, path, files, unfinished, chapters, frames
                case firstFrame = "first_frame_ns"
                case lastFrame = "last_frame_ns"
            }

            public init(
                _ end: End, clip: Clip? = nil, files: [String] = [], unfinished: [String] = [],
                firstFrame: Int64? = nil,
                lastFrame: Int64? = nil, frames: Frames = Frames(), problem: Problem? = nil
            ) {
                self.end = end
                self.problem = problem
                self.clip = clip
                path = clip?.path
                self.files = files
                self.unfinished = unfinished
                self.firstFrame = firstFrame
                self.lastFrame = lastFrame
                self.frames = frames
            }
        }
    }
}
