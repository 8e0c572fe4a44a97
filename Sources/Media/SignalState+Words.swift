extension SignalState {
    /// "no cable": what a person is told.
    public var words: String {
        switch self {
        case .noCable: "no cable"
        case .noSignal: "no signal"
        case .noLock: "no lock"
        case .outOfRange: "out of range"
        case .unplugged: "unplugged"
        case .off: "off"
        case .noScreen: "no screen"
        case .unreadable(let cause, _): "cannot be read: \(cause)"
        case .locked(let shape?): "\(shape.words)"
        case .locked(nil): "locked"
        }
    }
}

extension SignalShape {
    /// "1920x1080 at 60 pictures a second, interlaced".
    public var words: String {
        "\(width)x\(height) at \(rate) pictures a second" + (isInterlaced ? ", interlaced" : "")
    }
}
