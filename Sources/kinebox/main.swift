import Glibc
import Linux
import Media

StandardDescriptors.fill()
// A reader that has gone must not end a recording, nor must a limit for the size of files: writing tells of both.
signal(SIGPIPE, SIG_IGN)
signal(SIGXFSZ, SIG_IGN)

exit(Command.run(Array(CommandLine.arguments.dropFirst())))
