import Glibc

let arguments = Array(CommandLine.arguments.dropFirst())
let command = arguments.first ?? ""
let isUnderstood =
    switch command {
    case "y4m", "paint": try StreamCommand.run(Array(arguments.dropFirst()), writing: command == "y4m")
    default: false
    }
if !isUnderstood {
    print("usage: kinebox-bench y4m|paint WIDTH HEIGHT RATE[/N] FRAMES")
    exit(2)
}
