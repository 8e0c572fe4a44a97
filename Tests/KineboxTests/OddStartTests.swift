import Glibc
import Judges
import Testing

/// What whoever starts the program may have arranged for it: closed descriptors, limits, signals that are ignored.
@Suite struct OddStartTests {
    private static let options = "record --video test --audio none --size 160x120 --preset ultrafast"

    private func shell(_ script: String) throws -> Ending {
        try ChildProcess("sh", ["-c", script]).wait()
    }

    @Test func messagesNeverGoIntoARecordingWhereNoDescriptorIsOpen() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("closed.mp4")
        let ending = try shell("exec '\(Kinebox.path)' \(Self.options) --duration 1 '\(file)' <&- >&- 2>&-")
        #expect(ending.exitCode == 0, "\(ending)")
        let check = try Kinebox.run("check", file)
        #expect(check.exitCode == 0, "\(check)")
        #expect(check.text.contains("30 frames,"), "\(check)")
    }

    @Test func aResultThatCannotBeWrittenIsNoSuccess() throws {
        let ending = try shell("exec '\(Kinebox.path)' --help >/dev/full")
        #expect(ending.exitCode == 1, "\(ending)")
        expectOneSentence(ending, naming: "standard output")
        let unread = try shell("'\(Kinebox.path)' --help | true")
        #expect(unread.exitCode == 0 && unread.errors.isEmpty, "\(unread)")
    }

    @Test func aLimitForTheSizeOfFilesEndsTheRecordingAndTheFileIsFinished() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("limit.mp4")
        // The shell counts in blocks of 512 bytes.
        let ending = try shell(
            "ulimit -f 100; exec '\(Kinebox.path)' \(Self.options) --duration 20 '\(file)'")
        #expect(ending.exitCode == 4, "\(ending)")
        expectOneSentence(ending, naming: file)
        #expect(ending.errors.contains("not saved"), "what did not fit is told: \(ending)")
        let check = try Kinebox.run("check", file)
        #expect(check.exitCode == 0, "\(check)")
    }

    @Test(arguments: [true, false])
    func aHangUpStopsTheRecordingUnlessItIsToBeIgnored(_ isIgnored: Bool) throws {
        let folder = try TemporaryFolder()
        let file = folder.file("hangup.mp4")
        let recording = try ChildProcess(
            "sh",
            [
                "-c",
                "trap '\(isIgnored ? "" : "true")' HUP; exec '\(Kinebox.path)' \(Self.options) --duration 4 '\(file)'",
            ])
        while access(file, F_OK) != 0, recording.isRunning { usleep(5000) }
        recording.send(SIGHUP)
        let ending = recording.wait()
        #expect(ending.errors.contains("stopping") != isIgnored, "\(ending)")
        if isIgnored {
            #expect(ending.exitCode == 0, "\(ending)")
            #expect(ending.text.contains("120 frames"), "\(ending)")
        }
    }
}
