extension RecorderAPI {
    /// A stick, a card or a disk.
    public struct Medium: Codable, Sendable, Hashable {
        /// How it stands.
        public enum State: String, Codable, Sendable, CaseIterable {
            case preparing, ready, full, failed, leaving, ejected
            case readOnly = "read_only"
        }

        /// What it is known by.
        public var name: String
        /// The UUID of its file system.
        public var uuid: String?
        /// Where it is mounted.
        public var path: String?
        public var fileSystem: String?
        public var state: State
        /// Why it cannot be used.
        public var problem: Problem?
        /// Whether it is or would be recorded to.
        public var isChosen: Bool
        public var bytes: Int64?
        public var freeBytes: Int64?
        /// Nanoseconds for which it has room.
        public var room: Int64?

        enum CodingKeys: String, CodingKey {
            case name, uuid, path, state, problem, bytes
            case fileSystem = "file_system"
            case isChosen = "chosen"
            case freeBytes = "free_bytes"
            case room = "room_ns"
        }

        public init(
            name: String, state: State, isChosen: Bool, uuid: String? = nil, path: String? = nil,
            fileSystem: String? = nil, problem: Problem? = nil, bytes: Int64? = nil, freeBytes: Int64? = nil,
            room: Int64? = nil
        ) {
            self.name = name
            self.state = state
            self.isChosen = isChosen
            self.uuid = uuid
            self.path = path
            self.fileSystem = fileSystem
            self.problem = problem
            self.bytes = bytes
            self.freeBytes = freeBytes
            self.room = room
        }
    }
}
