import Glibc
import Judges
import Linux
import Testing

/// A wrong wish is refused in one sentence before anything is created.
@Suite struct WrongUsageTests {
    @Test(arguments: [
        ["--colour", "red"], ["--size"], ["--size", "0x0"], ["--size", "321x240"], ["--size", "320x241"],
        ["--size", "100000x2"], ["--size", "320"], ["--rate", "0"], ["--rate", "1/0"], ["--rate", "abc"],
        ["--bitrate", "0"], ["--bitrate", "-5"], ["--duration", "-1"], ["--duration", "abc"], ["--duration", "0"],
        ["--preset", "heroic"], ["--threads", "-1"], ["--encoder", "magic"], ["--split-size", "-1"],
        ["--split-duration", "x"], ["--video", ""], ["--audio", ""], ["--size=0x0"], ["--duration=abc"],
    ])
    func anOptionThatCannotBeIsNamed(_ option: [String]) throws {
        let folder = try TemporaryFolder()
        let file = folder.file("never.mp4")
        let ending = try Kinebox.start(["record", "--video", "test"] + option + [file]).wait()
        #expect(ending.exitCode == 2, "\(ending)")
        let name = option[0].prefix { $0 != "=" }
        expectOneSentence(ending, naming: String(name))
        #expect(folder.names.isEmpty)
    }

    @Test(arguments: [[], ["dance"], ["record"], ["check"], ["recover"], ["record", "a.mp4", "b.mp4"]])
    func aCommandThatIsNotCompleteIsExplained(_ arguments: [String]) throws {
        let ending = try Kinebox.start(arguments).wait()
        #expect(ending.exitCode == 2, "\(ending)")
        #expect(ending.text.isEmpty)
        #expect(!ending.errors.isEmpty)
    }

    @Test(arguments: [
        ["--help"], ["record", "--help"], ["devices", "--help"], ["check", "--help"], ["recover", "--help"],
    ])
    func helpIsAResultAndComesOnStandardOutput(_ arguments: [String]) throws {
        let ending = try Kinebox.start(arguments).wait()
        #expect(ending.exitCode == 0, "\(ending)")
        #expect(ending.text.contains("usage: kinebox"))
        #expect(ending.errors.isEmpty)
    }

    @Test(arguments: ["/dev/video99", "/dev/null", "/tmp", "no such camera"])
    func aSourceThatIsNoneIsNamed(_ source: String) throws {
        let folder = try TemporaryFolder()
        let ending = try Kinebox.run("record", "--video", source, "--audio", "none", folder.file("never.mp4"))
        #expect(ending.exitCode == 3, "\(ending)")
        expectOneSentence(ending, naming: source)
        #expect(folder.names.isEmpty)
    }

    @Test func aSoundCardThatIsNoneIsNamed() throws {
        let folder = try TemporaryFolder()
        let ending = try Kinebox.run("record", "--video", "test", "--audio", "hw:77", folder.file("never.mp4"))
        #expect(ending.exitCode == 3, "\(ending)")
        expectOneSentence(ending, naming: "hw:77")
        #expect(folder.names.isEmpty)
    }

    @Test(.enabled(if: geteuid() == 0, "only root may make a device that others may not open"))
    func aSourceThatIsForbiddenSaysWhatHelps() throws {
        let folder = try TemporaryFolder()
        chmod(folder.path, 0o777)
        let device = folder.file("video0")
        // Major number 81 is the kernel's for video devices.
        #expect(mknod(device, S_IFCHR | 0o600, 81 << 8) == 0)
        let program = folder.file("kinebox")
        try #require(try ChildProcess("cp", [Kinebox.path, program]).wait().exitCode == 0)
        chmod(program, 0o755)
        let ending = try ChildProcess(
            "setpriv",
            [
                "--reuid=65534", "--regid=65534", "--clear-groups", program, "record", "--video", device,
                "--audio", "none", folder.file("never.mp4"),
            ]
        ).wait()
        #expect(ending.exitCode == 3, "\(ending)")
        expectOneSentence(ending, naming: device)
        #expect(folder.names == ["kinebox", "video0"])
    }

    @Test func aPipeThatIsNotVideoIsNamed() throws {
        let folder = try TemporaryFolder()
        let noise = folder.file("noise")
        try #require(try ChildProcess("sh", ["-c", "head -c 100000 /dev/urandom >'\(noise)'"]).wait().exitCode == 0)
        let input = try FileDescriptor.open(noise, O_RDONLY)
        let ending = try Kinebox.run("record", "--video", "-", folder.file("never.mp4"), input: input.raw)
        #expect(ending.exitCode == 3, "\(ending)")
        expectOneSentence(ending, naming: "YUV4MPEG2")
        #expect(folder.names == ["noise"])
        let nothing = try Kinebox.run("record", "--video", "-", folder.file("never.mp4"))
        #expect(nothing.exitCode == 3, "\(nothing)")
        #expect(folder.names == ["noise"])
    }
}

/// The last line of what was said is one sentence that names the thing.
func expectOneSentence(_ ending: Ending, naming thing: String) {
    let faults = ending.errors.split(separator: "\n").filter { $0.hasPrefix("kinebox: ") }
    #expect(faults.count == 1, "\(ending)")
    #expect(faults.first?.contains(thing) ?? false, "\(ending)")
    #expect(faults.first?.hasSuffix(".") ?? false, "\(ending)")
}
