import Media

extension RecorderAPI {
    /// The picture that comes in, or why none does.
    public struct Signal: Codable, Sendable, Hashable {
        /// What the input sees.
        public enum State: String, Codable, Sendable, CaseIterable {
            case unknown, unplugged, off, unreadable, locked
            case noCable = "no_cable"
            case noSignal = "no_signal"
            case noLock = "no_lock"
            case outOfRange = "out_of_range"
            case noScreen = "no_screen"
        }

        public var state: State
        /// Pixels a line.
        public var width: Int?
        /// Lines of a whole picture.
        public var height: Int?
        /// Pictures a second: "60000/1001".
        public var rate: String?
        public var isInterlaced: Bool?

        enum CodingKeys: String, CodingKey {
            case state, width, height, rate
            case isInterlaced = "interlaced"
        }

        /// - Parameter signal: what the source of the picture sees; nil where it does not say.
        public init(_ signal: SignalState?) {
            state =
                switch signal {
                case nil: .unknown
                case .noCable: .noCable
                case .noSignal: .noSignal
                case .noLock: .noLock
                case .outOfRange: .outOfRange
                case .unplugged: .unplugged
                case .off: .off
                case .noScreen: .noScreen
                case .unreadable: .unreadable
                case .locked: .locked
                }
            guard case .locked(let shape?) = signal else { return }
            width = shape.width
            height = shape.height
            rate = "\(shape.rate.numerator)/\(shape.rate.denominator)"
            isInterlaced = shape.isInterlaced
        }
    }
}
