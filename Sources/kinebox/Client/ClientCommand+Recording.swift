import Control
import Media

// Starting, stopping, and what there is then.
extension ClientCommand {
    static func start(_ options: ClientOptions, _ terminal: inout Terminal) throws(Refusal) {
        var parameters = RecorderAPI.Start.Parameters(name: options.operand, medium: options.options["--medium"])
        if options.metadata != RecorderAPI.Metadata() { parameters.metadata = options.metadata }
        if let text = options.options["--duration"] {
            parameters.duration = try ClientOptions.seconds(text, "--duration")
        }
        let reply = try options.connect().call(RecorderAPI.Start.self, parameters)
        show(reply, options, &terminal) { reply in
            if reply.state == .pending {
                let cause = reply.problem.map { ": \($0.failure)" } ?? ""
                return ["waiting\(cause)"]
            }
            return ["recording to \(reply.path ?? "a file without a name")"]
        }
    }

    /// - Returns: the exit code: that of what failed, where something did.
    static func stop(_ options: ClientOptions, _ terminal: inout Terminal) throws(Refusal) -> Int32 {
        let reply = try options.connect().call(RecorderAPI.Stop.self)
        show(reply, options, &terminal) { reply in
            guard reply.clip != nil else { return ["nothing had been recorded yet"] }
            return reply.lines
        }
        for path in reply.unfinished {
            terminal.tell("\(path) plays as it is; it is finished when its medium is back")
        }
        if reply.clip != nil && reply.frames.dropped > 0 {
            terminal.tell("\(Wording.count(reply.frames.dropped, "frame")) dropped")
        }
        guard let failure = reply.problem?.failure else { return 0 }
        terminal.tell("kinebox: \(failure)")
        return failure.kind.exitCode
    }

    static func extend(_ options: ClientOptions, _ terminal: inout Terminal) throws(Refusal) {
        let duration = try ClientOptions.seconds(options.operand ?? "", "TIME")
        let reply = try options.connect().call(RecorderAPI.Extend.self, .init(duration: duration))
        show(reply, options, &terminal) { reply in
            guard let remaining = reply.remaining else { return ["the recording does not end by itself"] }
            return ["the recording ends by itself in \(Wording.clock(nanoseconds: remaining))"]
        }
    }

    static func clips(_ options: ClientOptions, _ terminal: inout Terminal) throws(Refusal) {
        var left = Int.max
        if let text = options.options["--limit"] {
            do throws(Failure) {
                left = try RecordArguments.whole(text, "--limit", "clips", 1...1_000_000)
            } catch {
                throw Refusal(error)
            }
        }
        let client = try options.connect()
        var all = RecorderAPI.ListClips.Reply(clips: [])
        repeat {
            let limit = min(left - all.clips.count, RecorderAPI.ListClips.mostClips)
            let page = try client.call(
                RecorderAPI.ListClips.self, .init(medium: options.options["--medium"], limit: limit, after: all.next))
            // A recorder that tells of more and gives none must not be asked for ever.
            all.next = page.clips.isEmpty ? nil : page.next
            all.clips += page.clips
        } while all.next != nil && all.clips.count < left
        show(all, options, &terminal) { $0.clips.isEmpty ? ["there are no recordings"] : $0.clips.map(\.words) }
    }
}

extension RecorderAPI.Stop.Reply {
    /// "/media/STICK/talk.mp4: 0:12:30, 22500 frames, 1.2 GB", and its further parts.
    fileprivate var lines: [String] {
        var pieces: [String] = []
        if let duration = clip?.duration ?? length { pieces.append(Wording.duration(nanoseconds: duration)) }
        pieces.append(Wording.count(frames.encoded, "frame"))
        if let bytes = clip?.bytes { pieces.append(Wording.size(bytes)) }
        if files.count > 1 { pieces.append("\(files.count) files") }
        return ["\(path ?? ""): \(pieces.joined(separator: ", "))"] + files.dropFirst()
    }

    /// From the first picture to the last.
    private var length: Int64? {
        guard let firstFrame, let lastFrame else { return nil }
        return lastFrame - firstFrame
    }
}
