extension RecorderAPI {
    /// Everything about the recorder at a moment.
    public struct Status: Codable, Sendable, Hashable {
        public var state: State
        /// Whether a recording runs and no more than its last two seconds are not on the medium.
        public var isSafe: Bool
        public var light: Light
        /// How often the light blinks, where it shows `blinks`.
        public var blinks: Int?
        public var warnings: [Warning]
        /// Why the state is `pending` or `fault`.
        public var problem: Problem?
        /// The recording, from its beginning until it is finished.
        public var clip: Clip?
        public var frames: Frames?
        /// Nanoseconds of the recording that a power cut would take now.
        public var unsaved: Int64?
        /// Nanoseconds of the recording until it ends by itself.
        public var remaining: Int64?
        public var signal: Signal
        /// The loudest sample of each sound track since the last look, 0…32768.
        public var peaks: [Int]
        /// The name of the medium that is or would be recorded to.
        public var medium: String?
        /// Nanoseconds for which that medium has room.
        public var room: Int64?

        enum CodingKeys: String, CodingKey {
            case state, light, blinks, warnings, problem, clip, frames, signal, peaks, medium
            case isSafe = "safe"
            case unsaved = "unsaved_ns"
            case remaining = "remaining_ns"
            case room = "room_ns"
        }

        /// An idle recorder of which nothing else is known.
        public init(_ state: State = .idle, light: Light = .off, isSafe: Bool = false) {
            self.state = state
            self.light = light
            self.isSafe = isSafe
            warnings = []
            signal = Signal(nil)
            peaks = []
        }
    }
}
