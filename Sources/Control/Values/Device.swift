extension RecorderAPI {
    /// Something to record from or to encode with.
    public struct Device: Codable, Sendable, Hashable {
        /// What it is for.
        public enum Kind: String, Codable, Sendable, CaseIterable {
            case picture, sound, encoder
        }

        /// Whether it can be used now.
        public enum State: String, Codable, Sendable, CaseIterable {
            case ready, busy, denied
            case noSignal = "no_signal"
            /// Of a screen: nothing is sent to the display, or none is plugged in.
            case off, unplugged
        }

        public var kind: Kind
        /// Its maker's name for it.
        public var name: String
        /// What the configuration takes for it.
        public var argument: String
        /// Where it is attached.
        public var location: String?
        public var state: State
        /// What helps where it cannot be used.
        public var mend: String?
        /// What it offers, a line each.
        public var formats: [String]

        public init(
            kind: Kind, name: String, argument: String, state: State, location: String? = nil, mend: String? = nil,
            formats: [String] = []
        ) {
            self.kind = kind
            self.name = name
            self.argument = argument
            self.state = state
            self.location = location
            self.mend = mend
            self.formats = formats
        }
    }
}
