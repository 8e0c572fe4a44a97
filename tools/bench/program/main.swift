import Glibc

let arguments = Array(CommandLine.arguments.dropFirst())
let rest = Array(arguments.dropFirst())
do {
    switch arguments.first {
    case "start": try StartBench.run(rest)
    case "idle": try IdleBench.run(rest)
    case "restart": try RestartBench.run(rest)
    case "attack": try AttackBench.run(rest)
    case "copies": try CopiesBench.run(rest)
    case "kill": try KillBench.run(rest)
    case "long": try LongBench.run(rest)
    case "long-run" where try LongRun.run(rest): break
    case "mux": try MuxBench.run(rest)
    case "mux-copy" where try MuxCommand.run(rest): break
    case "record": try RecordBench.run(rest)
    case "screen": try ScreenBench.run(rest)
    case "signal": try SignalBench.run(rest)
    case "y4m" where try StreamCommand.run(rest, writing: true): break
    case "paint" where try StreamCommand.run(rest, writing: false): break
    case "fuzz": try FuzzCommand.run(rest)
    default:
        print("usage: kinebox-bench NAME [--quick] [--json]")
        print("       NAME: attack|copies|idle|kill|long|mux|record|restart|screen|signal|start")
        print("       kinebox-bench y4m|paint WIDTH HEIGHT RATE[/N] FRAMES")
        print("       kinebox-bench mux-copy IN.mp4 OUT.mp4")
        print("       kinebox-bench fuzz [--seconds N] [--count N] [--first N] GOOD.mp4...")
        exit(2)
    }
} catch {
    print("kinebox-bench: \(error)")
    exit(1)
}
