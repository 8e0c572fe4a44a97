import Glibc
import Linux
import Testing

@Suite("Programs that run beside this one")
struct SubprocessTests {
    private func ending(_ words: [String], within nanoseconds: Int64 = 60_000_000_000) throws -> Int32? {
        let nothing = try FileDescriptor.open("/dev/null", O_RDWR)
        let program = try Subprocess(words[0], Array(words.dropFirst()), input: nothing.raw, output: nothing.raw)
        return try program.wait(within: nanoseconds)
    }

    @Test("end with their code, by a signal, or when their time is over")
    func endings() throws {
        #expect(try ending(["/bin/true"]) == 0)
        #expect(try ending(["/bin/sh", "-c", "exit 3"]) == 3)
        #expect(try ending(["/bin/sh", "-c", "kill -9 $$"]) == 128 + 9)
        #expect(try ending(["/bin/sleep", "1000"], within: 50_000_000) == nil)
    }

    @Test("are missing where there are none")
    func missing() {
        #expect(throws: Errno(ENOENT)) { try ending(["/nowhere"]) }
    }
}
