import Glibc
import Linux
import Media

signal(SIGPIPE, SIG_IGN)
do throws(Failure) {
    let program = try FakeProgram(Array(CommandLine.arguments.dropFirst()))
    do throws(Errno) {
        try program.run()
    } catch {
        throw Failure(.internalFault, "cannot serve", because: "\(error)")
    }
} catch {
    print("FakeRecorder: \(error)")
    exit(1)
}
