import Linux
import Media

/// Where a GPIO line was found.
struct LinePlace: Equatable {
    /// The chip's character device, under whose number it is just now.
    var path: String
    /// The chip's label.
    var label: String
    var offset: UInt32

    /// Looks for a line on all chips.
    /// - Throws: `Failure` where there is none, or more than one, or not all chips may be looked at.
    static func find(_ address: LineAddress) throws(Failure) -> LinePlace {
        var found: LinePlace?
        var denied: Failure?
        for entry in SystemDirectory.entries("/dev").sorted() where entry.hasPrefix("gpiochip") {
            let path = "/dev/\(entry)"
            let place: LinePlace?
            do throws(Errno) {
                place = try look(for: address, on: path)
            } catch {
                denied = PanelFailure.opening("the GPIO chip \(path)", error, group: "gpio")
                continue
            }
            guard let place else { continue }
            if let found {
                throw Failure(
                    .invalidValue, "cannot tell which line is meant by \(address)",
                    because: "there is one on \(found.label) and one on \(place.label)",
                    mend: "Name the chip as well: \(place.label):\(place.offset).")
            }
            found = place
        }
        if let found { return found }
        if let denied { throw denied }
        throw Failure(
            .noSource, "cannot use the line \(address)", because: "no GPIO chip has it",
            mend: "gpioinfo lists the lines, gpiodetect the labels of their chips.")
    }

    private static func look(for address: LineAddress, on path: String) throws(Errno) -> LinePlace? {
        let chip = try GPIOChip(opening: path)
        return chip.offset(of: address).map { LinePlace(path: path, label: chip.label, offset: $0) }
    }
}
