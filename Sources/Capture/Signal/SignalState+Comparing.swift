import Media

extension SignalState {
    /// What comes in, where that is known.
    var shape: SignalShape? {
        if case .locked(let shape) = self { return shape }
        return nil
    }

    /// Whether two readings say the same: receivers measure the rate, and never quite the same.
    func isSame(as other: SignalState) -> Bool {
        guard case .locked(let mine) = self, case .locked(let theirs) = other else { return self == other }
        guard let mine, let theirs else { return mine == theirs }
        return mine.isSame(as: theirs)
    }
}

extension SignalShape {
    /// How far two readings of a rate may be apart, as a part of it: less than 59.94 from 60.
    private static let tolerance = 0.0005

    /// Whether the pictures of both fit into one recording.
    func isSame(as other: SignalShape) -> Bool {
        (width, height, isInterlaced) == (other.width, other.height, other.isInterlaced)
            && abs(rate.perSecond - other.rate.perSecond) <= Self.tolerance * rate.perSecond
    }
}
