import Glibc

let arguments = Array(CommandLine.arguments.dropFirst())
let rest = Array(arguments.dropFirst())
do {
    switch arguments.first {
    case "kill": try KillBench.run(rest)
    case "long": try LongBench.run(rest)
    case "record": try RecordBench.run(rest)
    case "y4m" where try StreamCommand.run(rest, writing: true): break
    case "paint" where try StreamCommand.run(rest, writing: false): break
    default:
        print("usage: kinebox-bench kill|long|record [--quick] [--json]")
        print("       kinebox-bench y4m|paint WIDTH HEIGHT RATE[/N] FRAMES")
        exit(2)
    }
} catch {
    print("kinebox-bench: \(error)")
    exit(1)
}
