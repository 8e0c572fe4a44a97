/// How the picture of a screen is turned before it is recorded, counter-clockwise, in degrees. A display that is mounted on
/// its side gets planes that are turned one way; turned the other way, the picture is what a viewer sees.
public enum Turn: Int, Sendable, CaseIterable {
    case none = 0
    case quarter = 90
    case half = 180
    case threeQuarters = 270

    /// The turn that undoes a plane's rotation. Reflections are not undone: nobody looks at a display from behind.
    /// - Parameter rotation: DRM_MODE_ROTATE_…, with or without DRM_MODE_REFLECT_….
    public init(undoing rotation: UInt32) {
        self =
            switch rotation & Orientation.rotationMask {
            case Orientation.rotate90: .threeQuarters
            case Orientation.rotate180: .half
            case Orientation.rotate270: .quarter
            default: .none
            }
    }

    /// Whether width and height change places.
    public var exchangesAxes: Bool { self == .quarter || self == .threeQuarters }

    /// DRM_MODE_ROTATE_… of the same angle.
    var rotation: UInt32 {
        switch self {
        case .none: Orientation.rotate0
        case .quarter: Orientation.rotate90
        case .half: Orientation.rotate180
        case .threeQuarters: Orientation.rotate270
        }
    }
}
