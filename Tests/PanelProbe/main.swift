// Shows a signal with one light until it is ended: SIGTERM as it should be, anything else as it should not. "abandoned" lets
// the light tell of a program that has died, and ends.
//
//     panel-probe led:red:record|line:NAME idle|arming|safe|safe-with-warning|unsaved|paused|pending|finalising|BLINKS|abandoned
//
// It says "shown" when the light shows it.
import Glibc
import Linux
import Media
import Panel

func end(_ text: String, code: Int32) -> Never {
    _ = "panel-probe: \(text)\n".withCString { write(2, $0, strlen($0)) }
    exit(code)
}

func wiring(_ text: String) -> LightWiring? {
    if text.hasPrefix("led:") { return .led(String(text.dropFirst(4))) }
    return text.hasPrefix("line:") ? LineAddress(String(text.dropFirst(5))).map { .line($0, isActiveLow: false) } : nil
}

func signal(_ text: String) -> LightSignal? {
    let named: [String: LightSignal] = [
        "idle": .idle, "arming": .arming, "safe": .safe, "safe-with-warning": .safeWithWarning, "unsaved": .unsaved,
        "paused": .paused, "pending": .pending, "finalising": .finalising,
    ]
    return named[text] ?? Int(text).map { .failed(blinks: $0) }
}

guard CommandLine.arguments.count == 3, let wiring = wiring(CommandLine.arguments[1]) else {
    end("which light, and which signal?", code: 2)
}
if CommandLine.arguments[2] == "abandoned" {
    Lights.abandon(LightConfiguration(recording: .single(wiring)))
    exit(0)
}
guard let signal = signal(CommandLine.arguments[2]) else { end("which signal?", code: 2) }
do {
    let signals = try SignalDescriptor([SIGTERM])
    let epoll = try Epoll()
    let lights = try Lights(LightConfiguration(recording: .single(wiring)))
    for absence in lights.absences { end("\(absence)", code: 1) }
    try lights.show(signal)
    try epoll.add(lights.raw, for: .readable, token: 0)
    try epoll.add(signals.raw, for: .readable, token: 1)
    _ = "shown\n".withCString { write(1, $0, strlen($0)) }
    while signals.next() == nil {
        try epoll.wait(milliseconds: nil) { _, _ in }
        try lights.process()
    }
    lights.close()
} catch {
    end("\(error)", code: 1)
}
