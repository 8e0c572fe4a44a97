import Glibc
import Linux
import Media

/// The buttons of a panel: their devices are found, watched, lost and found again, and what a hand does with them is told.
///
/// It belongs to one thread, which waits for `raw` and then takes events until there is none. While nothing is pressed and
/// nothing is plugged in, nothing wakes up.
public final class Buttons {
    private let wirings: [ButtonWiring]
    private let epoll: Epoll
    private let timer: TimerDescriptor
    private let watch: DirectoryWatch
    private var inputFolder: Int32 = -1
    private var sources: [UInt64: any ContactSource] = [:]
    private var contacts: [UInt64: [Contact]] = [:]
    private var nextToken: UInt64 = 2
    /// Why a device, by its path, or the line of a button could not be opened.
    private var refusals: [String: Failure] = [:]
    private var edges: [(token: UInt64, edge: ContactEdge)] = []
    private var events: [ButtonEvent] = []
    private var alarm: MonotonicTime?
    private var isLate = false

    private static let timerToken: UInt64 = 0
    private static let watchToken: UInt64 = 1

    /// Opens all buttons that are there. One that is not is no failure: it may be plugged in later, and `absences` names it.
    /// - Throws: `Failure` when the system has no descriptor left.
    public init(_ wirings: [ButtonWiring]) throws(Failure) {
        self.wirings = wirings
        do throws(Errno) {
            epoll = try Epoll()
            timer = try TimerDescriptor()
            watch = try DirectoryWatch()
            try epoll.add(timer.raw, for: .readable, token: Self.timerToken)
            try epoll.add(watch.raw, for: .readable, token: Self.watchToken)
            if !wirings.isEmpty { try watch.add("/dev") }
        } catch {
            throw Failure(.internalFault, "cannot watch the buttons", because: "\(error)")
        }
        lookAgain()
    }

    /// The descriptor to wait for: readable while there may be events.
    public var raw: Int32 { epoll.raw }

    /// The buttons that have no contact just now, and why.
    public var absences: [Failure] {
        wirings.indices.filter { !isPresent($0) }.map { button in
            switch wirings[button].place {
            case .line: refusals[Self.line(button)] ?? PanelFailure.absent(wirings[button])
            // It may be the very device that this user may not open.
            case .key: refusals.first { $0.key.hasPrefix("/") }?.value ?? PanelFailure.absent(wirings[button])
            }
        }
    }

    /// The next thing that happened; nil when nothing has. It does not wait.
    public func nextEvent() -> ButtonEvent? {
        while true {
            if !events.isEmpty { return events.removeFirst() }
            if !edges.isEmpty {
                let next = edges.removeFirst()
                work(next.token) { $0.button == next.edge.button ? $0.edge(next.edge.change) : [] }
                setAlarm()
            } else if isLate {
                isLate = false
                passTime()
                setAlarm()
            } else if !collect() {
                return nil
            }
        }
    }

    // MARK: - What has happened

    /// Takes what waits at the descriptors.
    /// - Returns: false when nothing waited.
    private func collect() -> Bool {
        var ready: [UInt64] = []
        do throws(Errno) {
            try epoll.wait(milliseconds: 0) { token, _ in ready.append(token) }
        } catch {
            return false
        }
        for token in ready {
            switch token {
            case Self.timerToken: isLate = timer.expirations() > 0 || isLate
            case Self.watchToken: takeChanges()
            default: takeEdges(of: token)
            }
        }
        return !ready.isEmpty
    }

    private func takeEdges(of token: UInt64) {
        guard let source = sources[token] else { return }
        do throws(Errno) {
            try source.takeEdges { edges.append((token, $0)) }
        } catch {
            drop(token)
        }
    }

    /// A hold has ended, or a level has come to rest: is the contact still where the last edge left it?
    private func passTime() {
        let now = MonotonicTime.now
        for (token, own) in contacts where own.contains(where: { $0.deadline.map { $0 <= now } ?? false }) {
            guard let source = sources[token] else { continue }
            var isMissed = false
            do throws(Errno) {
                try source.takeMissedEdges {
                    edges.append((token, $0))
                    isMissed = true
                }
            } catch {
                drop(token)
                continue
            }
            // What nobody told of comes first; then time is looked at again.
            if isMissed {
                isLate = true
            } else {
                work(token) { $0.pass(to: now) }
            }
        }
    }

    /// Lets all contacts of a device do something, and makes actions of what comes out.
    private func work(_ token: UInt64, _ body: (inout Contact) -> [PressRecogniser.Outcome]) {
        guard var own = contacts[token] else { return }
        for index in own.indices {
            let outcomes = body(&own[index])
            let name = wirings[own[index].button].name
            for outcome in outcomes {
                events.append(
                    .action(PanelAction(outcome.gesture, of: name, at: outcome.time, pressed: outcome.pressed)))
            }
        }
        contacts[token] = own
    }

    /// The timer runs only while a contact is closed, or has not come to rest.
    private func setAlarm() {
        let next = contacts.values.joined().compactMap(\.deadline).min()
        guard next != alarm else { return }
        alarm = next
        do throws(Errno) {
            if let next { try timer.arm(at: next) } else { try timer.disarm() }
        } catch {
            events.append(.failed(Failure(.clockFailed, "cannot time how long a button is held", because: "\(error)")))
        }
    }

    // MARK: - Devices come and go

    private func isPresent(_ button: Int) -> Bool {
        sources.values.contains { $0.buttons.contains(button) }
    }

    private func takeChanges() {
        var nodes: Set<String> = []
        var isAll = false
        let folder = inputFolder
        watch.changes { number, name in
            if number == folder {
                if name.hasPrefix("event") { nodes.insert(name) }
            } else if number < 0 || name == "input" || name.hasPrefix("gpiochip") {
                isAll = true
            }
        }
        if isAll { return lookAgain() }
        for node in nodes { openKeys("/dev/input/\(node)") }
    }

    /// Opens what is there and not open yet.
    private func lookAgain() {
        let isByKey = wirings.contains { if case .key = $0.place { true } else { false } }
        if isByKey {
            // Without any input device there is no folder; it appears in /dev, which is watched.
            inputFolder = (try? watch.add("/dev/input")) ?? -1
            for node in SystemDirectory.entries("/dev/input").sorted() where node.hasPrefix("event") {
                openKeys("/dev/input/\(node)")
            }
        }
        for (button, wiring) in wirings.enumerated() where !isPresent(button) {
            guard case .line(let address, let sense) = wiring.place else { continue }
            do throws(Failure) {
                add(try ButtonLine(address, sense, button: button, debounce: debounce(of: button)), Self.line(button))
            } catch {
                refusals[Self.line(button)] = error
            }
        }
    }

    private func debounce(of button: Int) -> Int64 {
        switch wirings[button].place {
        case .line: wirings[button].debounce ?? ButtonLine.usualDebounce
        case .key: wirings[button].debounce ?? 0
        }
    }

    private func openKeys(_ path: String) {
        guard !sources.values.contains(where: { $0.path == path }) else { return }
        do throws(Failure) {
            refusals[path] = nil
            guard let device = try KeyDevice.open(path, for: wirings) else { return }
            add(device, path)
        } catch {
            // A device that was just plugged in is refused until udev has given it its group, which is told as well.
            refusals[path] = error
        }
    }

    private static func line(_ button: Int) -> String { "line of button \(button)" }

    private func add(_ source: any ContactSource, _ place: String) {
        do throws(Errno) {
            try epoll.add(source.raw, for: .readable, token: nextToken)
        } catch {
            refusals[place] = PanelFailure.opening(source.name, error, group: "input")
            return
        }
        refusals[place] = nil
        events += source.buttons.filter { !isPresent($0) }.map {
            .found(button: wirings[$0].name, device: source.name)
        }
        sources[nextToken] = source
        contacts[nextToken] = source.buttons.map { button in
            let debounce = source.isDebounced ? 0 : debounce(of: button)
            return Contact(
                button: button, wirings[button].grammar, debounce: debounce, isClosed: source.isClosed(button),
                at: .now)
        }
        nextToken += 1
        // One that is held already may be stuck.
        setAlarm()
    }

    /// A device has gone. Another one may have its number already.
    private func drop(_ token: UInt64) {
        guard let source = sources.removeValue(forKey: token) else { return }
        // The kernel has forgotten a descriptor of a device that has gone as soon as it is closed.
        try? epoll.remove(source.raw)
        contacts[token] = nil
        edges.removeAll { $0.token == token }
        events += source.buttons.filter { !isPresent($0) }.map {
            .lost(button: wirings[$0].name, device: source.name)
        }
        setAlarm()
        lookAgain()
    }
}
