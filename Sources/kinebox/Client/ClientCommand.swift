import Control
import Media

/// A command to a running kineboxd: asks it over its socket and says in sentences what it answers.
enum ClientCommand {
    static func run(_ word: ClientWord, _ arguments: [String], _ terminal: inout Terminal) throws(Failure) -> Int32 {
        let parsed = try Options(arguments, of: word.rawValue, declared: word.declared)
        if parsed.has("--help") {
            terminal.print(word.help)
            return 0
        }
        let options = try ClientOptions(parsed, word)
        do throws(Refusal) {
            return try perform(word, options, &terminal)
        } catch {
            if options.isJSON { terminal.print(error.text(isPretty: word != .watch)) }
            throw error.failure
        }
    }

    private static func perform(
        _ word: ClientWord, _ options: ClientOptions, _ terminal: inout Terminal
    ) throws(Refusal) -> Int32 {
        switch word {
        case .start: try start(options, &terminal)
        case .stop: return try stop(options, &terminal)
        case .pause: try plain(RecorderAPI.Pause.self, "paused; kinebox resume goes on", options, &terminal)
        case .resume: try plain(RecorderAPI.Resume.self, "the recording goes on", options, &terminal)
        case .split: try plain(RecorderAPI.Split.self, "the recording goes on in a new file", options, &terminal)
        case .mark: try mark(options, &terminal)
        case .extend: try extend(options, &terminal)
        case .describe:
            let parameters = RecorderAPI.SetMetadata.Parameters(metadata: options.metadata)
            let reply = try options.connect().call(RecorderAPI.SetMetadata.self, parameters)
            show(reply, options, &terminal) { _ in ["it goes into the next recording"] }
        case .status: try status(options, &terminal)
        case .watch: try WatchCommand.run(options, &terminal)
        case .snapshot:
            let reply = try options.connect().call(RecorderAPI.Snapshot.self)
            show(reply, options, &terminal) { [$0.path] }
        case .clips: try clips(options, &terminal)
        case .media:
            let reply = try options.connect().call(RecorderAPI.ListMedia.self)
            show(reply, options, &terminal) { $0.media.isEmpty ? ["no medium is attached"] : $0.media.map(\.words) }
        case .eject:
            let reply = try options.connect().call(RecorderAPI.Eject.self, .init(medium: options.operand))
            show(reply, options, &terminal) { ["\($0.medium) can be pulled now"] }
        case .identify: try plain(RecorderAPI.Identify.self, "look for the lights", options, &terminal)
        }
        return 0
    }

    /// Prints a reply: as it came for programs, in sentences for people.
    static func show<Reply: Encodable>(
        _ reply: Reply, _ options: ClientOptions, _ terminal: inout Terminal, _ lines: (Reply) -> [String]
    ) {
        if options.isJSON {
            terminal.print(JSON.text(reply, isPretty: true) ?? "{}")
        } else {
            for line in lines(reply) { terminal.print(line) }
        }
    }

    private static func plain<Call: RecorderCall>(
        _ call: Call.Type, _ sentence: String, _ options: ClientOptions, _ terminal: inout Terminal
    ) throws(Refusal) where Call.Parameters == RecorderAPI.Nothing {
        show(try options.connect().call(call), options, &terminal) { _ in [sentence] }
    }

    private static func status(_ options: ClientOptions, _ terminal: inout Terminal) throws(Refusal) {
        let reply = try options.connect().call(RecorderAPI.GetStatus.self)
        show(reply, options, &terminal) { $0.status.lines }
    }

    private static func mark(_ options: ClientOptions, _ terminal: inout Terminal) throws(Refusal) {
        let reply = try options.connect().call(RecorderAPI.Mark.self, .init(label: options.operand))
        let title = options.operand.map { " \"\($0)\"" } ?? ""
        show(reply, options, &terminal) { reply in
            ["a chapter\(title) begins" + (reply.time.map { " at \(Wording.clock(nanoseconds: $0))" } ?? " here")]
        }
    }
}
