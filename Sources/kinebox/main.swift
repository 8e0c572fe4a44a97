import Glibc
import Media

// A reader that has gone must not end a recording.
signal(SIGPIPE, SIG_IGN)

exit(Command.run(Array(CommandLine.arguments.dropFirst())))
