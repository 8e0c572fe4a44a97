/// Collects the faults of one file. A damaged file may have a fault in each of a million samples: of each kind only the
/// first few are kept, the others are counted.
final class FaultLog {
    private static let keptPerCode = 4
    private var faults: [Fault] = []
    private var counts: [FaultCode: Int] = [:]

    /// True when nothing was reported.
    var isEmpty: Bool { faults.isEmpty }

    /// How often a kind was reported.
    func count(_ code: FaultCode) -> Int { counts[code, default: 0] }

    /// Reports a fault.
    /// - Parameter message: made only when it is kept.
    func report(_ code: FaultCode, _ message: @autoclosure () -> String) {
        let count = counts[code, default: 0] + 1
        counts[code] = count
        if count <= Self.keptPerCode { faults.append(Fault(code: code, message: message())) }
    }

    /// Reports that the bytes at a place are no box.
    /// - Parameters:
    ///   - parent: what encloses the place, nil at the top of the file.
    ///   - fault: why it is no box.
    func report(_ fault: BoxFault, in parent: BoxHeader?) {
        let place = parent.map { $0.name } ?? "the file"
        switch fault {
        case .cutHeader(let offset, let left):
            report(
                parent == nil ? .truncated : .boxRemainder,
                "\(left) bytes at \(offset) are left over at the end of \(place) and are no box")
        case .tooSmall(let type, let offset, let size):
            report(.boxSize, "'\(type)' at \(offset) in \(place) says it has \(size) bytes, less than its own header")
        case .tooLarge(let type, let offset, let size, let limit):
            report(
                parent == nil ? .truncated : .boxSize,
                "'\(type)' at \(offset) says it has \(size) bytes, but \(place) ends \(limit - offset) bytes behind its start"
            )
        case .unreadable(let offset, let reason):
            report(.unreadable, "cannot read at \(offset): " + (reason.map { $0.description } ?? "the file ends there"))
        }
    }

    /// The faults, in the order in which they were found, each kind that was found more often with the number.
    func list() -> [Fault] {
        var result = faults
        for code in FaultCode.allCases {
            guard let count = counts[code], count > Self.keptPerCode else { continue }
            result.append(Fault(code: code, message: "\(count - Self.keptPerCode) more of this kind"))
        }
        return result
    }
}
