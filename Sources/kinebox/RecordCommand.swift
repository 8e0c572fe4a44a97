import CKernel
import Glibc
import Linux
import MP4
import Media
import Recorder
import Storage

/// `kinebox record [OPTION]... FILE.mp4 | FOLDER`
enum RecordCommand {
    static func run(_ arguments: [String], _ terminal: inout Terminal) throws(Failure) -> Int32 {
        let options = try Options(arguments, of: "record", declared: RecordArguments.declared)
        if options.has("--help") {
            terminal.print(Help.record)
            return 0
        }
        let wanted = try RecordArguments(options, try Configuration(reading: options["--config"]))
        let name = try RecordingName(
            for: wanted.output, prefix: wanted.namePrefix, at: WallClock.seconds,
            isSynchronised: WallClock.isSynchronised)
        // Blocked before any thread starts, so that they come to the loop below alone.
        // A shell has background jobs of a script ignore SIGINT; who sends it to a recording wants it to stop all the same.
        let hangUp = SignalDescriptor.isIgnored(SIGHUP) ? [] : [SIGHUP]
        let signals = try system { () throws(Errno) in try SignalDescriptor([SIGINT, SIGTERM] + hangUp) }
        let choice = try SourceChoice(wanted)
        let recording = try Recording(choice.plan(wanted, name))
        try follow(recording, "recording \(choice.words) to \(name.path(ofPart: 1))", signals, &terminal)
        return report(recording.wait(), &terminal)
    }

    /// Shows how the recording goes until it has ended. A first signal stops it, a second one leaves at once.
    private static func follow(
        _ recording: Recording, _ greeting: String, _ signals: borrowing SignalDescriptor, _ terminal: inout Terminal
    ) throws(Failure) {
        let epoll = try system { () throws(Errno) in try Epoll() }
        let timer = try system { () throws(Errno) in try TimerDescriptor() }
        let interval: Int64 = terminal.isInteractive ? 250_000_000 : 10_000_000_000
        let signalDescriptor = signals.raw
        let timerDescriptor = timer.raw
        try system { () throws(Errno) in
            try epoll.add(signalDescriptor, for: .readable, token: 0)
            try epoll.add(timerDescriptor, for: .readable, token: 1)
            try epoll.add(recording.ended, for: .readable, token: 2)
            try epoll.add(recording.started, for: .readable, token: 3)
            try timer.arm(at: .now + interval, interval: interval)
        }
        var isStopping = false
        var hasEnded = false
        while !hasEnded {
            var (tick, hasStarted) = (false, false)
            try system { () throws(Errno) in
                try epoll.wait(milliseconds: nil) { token, _ in
                    if token == 1 { tick = true }
                    if token == 2 { hasEnded = true }
                    if token == 3 { hasStarted = true }
                }
            }
            if hasStarted {
                recording.takeStart()
                terminal.tell(greeting)
                // What is told before is told behind the greeting.
                try system { () throws(Errno) in try epoll.add(recording.noticed, for: .readable, token: 4) }
            }
            while let number = signals.next() {
                if isStopping {
                    terminal.tell("left at once; \"kinebox recover\" finishes the file")
                    ProcessEnd.leaveDevices(code: 1)
                }
                isStopping = true
                recording.stop()
                if number != SIGINT || terminal.isInteractive { terminal.tell("stopping") }
            }
            for notice in recording.takeNotices() { terminal.tell(notice) }
            if tick && timer.expirations() > 0 && !hasEnded {
                terminal.show(live: StatusLine.pieces(recording.status))
            }
        }
    }

    /// Says what became of it.
    private static func report(_ result: RecordingResult, _ terminal: inout Terminal) -> Int32 {
        for notice in result.notices { terminal.tell(notice) }
        for path in result.unfinished {
            terminal.tell("\(path) plays as it is; \"kinebox recover\" makes it an ordinary MP4")
        }
        for part in result.parts { terminal.print(part.words) }
        for line in SignalGap.words(result.gaps) { terminal.tell(line) }
        let status = result.status
        let missing = [
            (status.lostFrames, "lost by the source"),
            (status.droppedFrames, "dropped since the encoder was late or failed"),
            (status.discardedFrames, "discarded since the medium was too slow"),
            (result.unsavedFrames, result.unfinished.isEmpty ? "not saved" : "in no finished file"),
        ].filter { $0.0 > 0 }.map { Wording.count($0.0, "frame") + " " + $0.1 }
        if result.firstFrameTime != nil {
            terminal.tell(missing.isEmpty ? "no frame was lost" : missing.joined(separator: ", "))
        }
        switch result.end {
        case .failed(let failure):
            terminal.tell("kinebox: \(failure)")
            return failure.kind.exitCode
        case .sourceEnded where result.firstFrameTime == nil:
            let failure = Failure(
                .noSource, "nothing was recorded", because: "the source ended before its first picture",
                mend: "Look at the program that feeds the pipe.")
            terminal.tell("kinebox: \(failure)")
            return failure.kind.exitCode
        case .stopped where result.firstFrameTime == nil:
            terminal.tell("stopped before the first picture; nothing was recorded")
            return 1
        case .signalLost(let state):
            terminal.tell("ended since the signal was lost: \(state.words)")
            return 0
        case .stopped, .durationReached, .sourceEnded:
            return 0
        }
    }

    /// What the system refuses here has no other cause than exhausted descriptors or memory.
    @discardableResult
    private static func system<Value: ~Copyable>(_ body: () throws(Errno) -> Value) throws(Failure) -> Value {
        do throws(Errno) {
            return try body()
        } catch {
            throw Failure(
                .internalFault, "cannot watch the recording", because: "\(error)",
                mend: "End other programs and try again.")
        }
    }
}
