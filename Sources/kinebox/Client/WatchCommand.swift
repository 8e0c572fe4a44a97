import Control
import Linux

/// `kinebox watch`: follows a recorder. What happens, and each change of what the recorder does, gets a line; on a
/// terminal one more line says all the time how it stands.
enum WatchCommand {
    /// Ends when nobody reads any more; a recorder that goes away is a failure.
    static func run(_ options: ClientOptions, _ terminal: inout Terminal) throws(Refusal) {
        let client = try options.connect()
        var last: Seen?
        var output = terminal
        defer { terminal = output }
        try client.follow { reply in
            if options.isJSON {
                output.print(JSON.text(reply) ?? "{}")
                return output.hasReader
            }
            if reply.missed > 0 { output.print("\(Wording.count(Int64(reply.missed), "notice")) missed") }
            for notice in reply.notices { output.print(notice.text) }
            let seen = Seen(reply)
            if seen != last {
                // What a notice has said is not said again.
                let told = reply.notices.map { "look: \($0.text)" }
                for line in seen.lines(since: last) where !told.contains(line) { output.print(line) }
                last = seen
            }
            if output.isInteractive { output.show(live: reply.status.pieces) }
            return output.hasReader
        }
    }

    /// What gets a line when it changes.
    private struct Seen: Equatable {
        let headline: String
        let signal: String
        let warnings: [String]
        let media: [String]
        let names: [String]

        init(_ reply: RecorderAPI.Subscribe.Reply) {
            headline = reply.status.headline
            signal = "picture: \(reply.status.signal.words)"
            warnings = reply.status.warnings.map { "look: \($0.words)" }
            names = reply.media.map(\.name)
            media = reply.media.map { medium in
                var medium = medium
                // What runs down all the time is no news.
                (medium.room, medium.freeBytes) = (nil, nil)
                return "medium \(medium.words)"
            }
        }

        /// What is not as it was.
        func lines(since last: Seen?) -> [String] {
            var lines: [String] = []
            if headline != last?.headline { lines.append(headline) }
            if signal != last?.signal { lines.append(signal) }
            lines += warnings.filter { !(last?.warnings.contains($0) ?? false) }
            lines += media.filter { !(last?.media.contains($0) ?? false) }
            let gone = (last?.names ?? []).filter { !names.contains($0) }
            return lines + gone.map { "medium \($0) is gone" }
        }
    }
}
