import Glibc
import Linux
import V4L2

StandardDescriptors.fill()
// A reader that has gone must not end a recording, nor must a limit for the size of files: writing tells of both.
signal(SIGPIPE, SIG_IGN)
signal(SIGXFSZ, SIG_IGN)

let code = Command.run(Array(CommandLine.arguments.dropFirst()), as: CommandLine.arguments.first ?? "")
// Closing a device takes some milliseconds, or for ever.
if V4L2Disposal.isComplete(within: 500) { exit(code) }
ProcessEnd.leaveDevices(code: code)
