import Capture
import KMS
import Media

/// Who reads for this process what a screen shows: it alone where it may, else the privileged program.
enum ScreenAccess {
    /// Makes a reader.
    /// - Parameter connector: nil for the screen that is lit.
    /// - Throws: `Failure` that says what helps, where neither may or answers.
    static func reader(of connector: String?) throws(Failure) -> any ScreenReader {
        if CardReader.mayRead { return try CardReader(connector: connector) }
        do throws(Failure) {
            return try ScreenClient(connector: connector ?? "")
        } catch {
            throw Failure(
                error.kind, "cannot record from \(connector.map { "screen \($0)" } ?? "the screen")",
                because: "this user may not read what is shown, and \(error.cause)",
                mend: error.mend)
        }
    }

    /// Refuses a screen that there cannot be, before anybody is asked to read it.
    /// - Throws: `Failure` of kind noSource.
    static func look(for connector: String?) throws(Failure) {
        let screens = ScreenList.all()
        if screens.isEmpty {
            throw Failure(
                .noSource, "cannot record from the screen", because: "this board has no connector for a display",
                mend: "Use a device of kinebox devices in its place, or load the driver of its display engine.")
        }
        guard let connector, !screens.contains(where: { $0.connector == connector }) else { return }
        let known = screens.map(\.connector)
        throw Failure(
            .noSource, "cannot record from screen \(connector)", because: "this board has no such connector",
            mend: known.count == 1
                ? "Use screen:\(known[0])." : "Use screen: and one of \(known.joined(separator: ", ")).")
    }

    /// How a screen is driven, told by whoever would read what it shows.
    /// - Parameter known: what this process knows of it; without that the privileged program is asked.
    /// - Throws: `Failure` that says why what is shown may not be read, and what helps.
    static func mode(of connector: String, known: ScreenMode?) throws(Failure) -> ScreenMode? {
        if CardReader.mayRead { return known }
        let client = try ScreenClient(connector: connector)
        try client.awaitOpening()
        if let known { return known }
        return try client.awaitMode()
    }
}
