extension RecorderAPI {
    /// Counts of pictures.
    public struct Frames: Codable, Sendable, Hashable {
        /// Came in, encoded or not.
        public var captured: Int64
        /// Are in the recording.
        public var encoded: Int64
        /// Came in and are not in the recording.
        public var dropped: Int64
        /// Are in the recording and did not come in.
        public var repeated: Int64

        public init(captured: Int64 = 0, encoded: Int64 = 0, dropped: Int64 = 0, repeated: Int64 = 0) {
            self.captured = captured
            self.encoded = encoded
            self.dropped = dropped
            self.repeated = repeated
        }
    }
}
