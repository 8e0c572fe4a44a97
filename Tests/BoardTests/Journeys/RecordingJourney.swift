import Glibc
import Judges
import Testing

/// A recording that runs beside the test, on the virtual board.
final class RecordingJourney {
    /// The folder of the recording alone.
    let folder: String
    private let recording: ChildProcess

    /// Starts to record the HDMI input by the board's encoder, with sound, and waits until something is on the medium.
    /// - Parameter video: another source of pictures.
    init(_ options: [String] = [], video: String = "/dev/board/hdmi", encoder: String = "hardware") throws {
        folder = "/tmp/journey-\(UInt64.random(in: 0 ... .max))"
        mkdir(folder, 0o755)
        // Fifteen pictures a second leave the machine under the board some time to spare.
        let arguments = [
            "record", "--video", video, "--audio", "hw:Loopback,1,0", "--encoder", encoder, "--rate", "15",
        ]
        recording = try Kinebox.start(arguments + options + ["\(folder)/a.mp4"])
        try wait { self.byteCount > 4096 }
    }

    /// Right after a recording, the next one works.
    static func recordAgain(location: SourceLocation = #_sourceLocation) throws {
        let file = "/tmp/next.mp4"
        defer { unlink(file) }
        let ending = try Kinebox.run(
            "record", "--video", "/dev/board/hdmi", "--audio", "none", "--encoder", "hardware", "--duration", "0.5",
            file)
        #expect(ending.exitCode == 0, "\(ending)", sourceLocation: location)
        #expect(try RecordedFile(file).pictures > 0, sourceLocation: location)
    }

    deinit {
        for file in files { unlink(file) }
        rmdir(folder)
    }

    /// The recording's files, in their order.
    var files: [String] {
        var list: [String] = []
        var path = "\(folder)/a.mp4"
        while access(path, F_OK) == 0 {
            list.append(path)
            let number = list.count + 1
            path = "\(folder)/a_part\(number < 10 ? "0" : "")\(number).mp4"
        }
        return list
    }

    /// Bytes of all files.
    var byteCount: Int {
        files.reduce(0) { sum, file in
            var status = stat()
            return stat(file, &status) == 0 ? sum + Int(status.st_size) : sum
        }
    }

    /// What it has told a person.
    var words: String { recording.errorsSoFar }

    /// Waits until it has told something.
    /// - Parameter count: so often.
    func waitFor(_ text: String, times count: Int = 1) throws {
        try wait { self.words.components(of: text) >= count }
    }

    /// Lets it record until so many further fragments, about one a second, are on the medium.
    func goOn(fragments: Int = 2) throws {
        for _ in 0..<fragments {
            let before = byteCount
            try wait { self.byteCount > before }
        }
    }

    /// Ends it as Ctrl-C does, or waits for its end.
    func end(asking: Bool = true) -> Ending {
        if asking { recording.send(SIGINT) }
        return recording.wait(atMost: 30)
    }

    private func wait(_ condition: () -> Bool) throws {
        for _ in 0..<600 where !condition() {
            try #require(recording.isRunning, "\(words)")
            usleep(100_000)
        }
        try #require(condition(), "\(words)")
    }
}

extension String {
    /// How often a text is in it.
    func components(of text: String) -> Int {
        var (count, rest) = (0, self[...])
        while let range = rest.firstRange(of: text) {
            count += 1
            rest = rest[range.upperBound...]
        }
        return count
    }
}
