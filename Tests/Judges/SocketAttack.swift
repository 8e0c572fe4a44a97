import Glibc
import Linux

/// Clients of the recorder's socket that do everything a client should not, and some things that it should: many at a
/// time, each in its own way, the same with the same seed.
public final class SocketAttack {
    /// What one client is up to.
    private enum Habit: CaseIterable {
        case talk, talkDeaf, damage, flood, drip, halfClose, followDeaf, comeAndGo, rest, bomb
    }

    private final class Attacker {
        let socket: UnixSocket
        let habit: Habit
        var pending: [UInt8]
        var steps: Int

        init(_ socket: consuming UnixSocket, _ habit: Habit, _ pending: [UInt8], steps: Int) {
            self.socket = socket
            self.habit = habit
            self.pending = pending
            self.steps = steps
        }
    }

    private let path: String
    private let isHarmless: Bool
    private let crowd: Int
    private var random: Xorshift
    private var attackers: [Attacker] = []
    private var scratch = [UInt8](repeating: 0, count: 16 << 10)
    /// The clients that have come so far.
    public private(set) var clients = 0
    /// The bytes that were taken from them.
    public private(set) var bytes = 0
    /// The bytes that came back.
    public private(set) var answered = 0
    /// How often nobody took a client.
    public private(set) var refusals = 0

    /// - Parameters:
    ///   - path: the recorder's socket.
    ///   - seed: more than 0.
    ///   - isHarmless: whether all that is asked for in earnest leaves a recording that runs as it is.
    ///   - crowd: the most clients at a time.
    public init(_ path: String, seed: UInt64, isHarmless: Bool = false, crowd: Int = 24) {
        self.path = path
        self.crowd = crowd
        self.isHarmless = isHarmless
        random = Xorshift(state: seed)
    }

    /// Goes on for a number of steps: in each, one client comes, goes, sends or reads.
    public func run(steps: Int) {
        for _ in 0..<steps {
            if attackers.count < crowd && random.below(4) == 0 { come() }
            guard !attackers.isEmpty else { continue }
            let index = random.below(attackers.count)
            if !act(attackers[index]) { attackers.remove(at: index) }
        }
    }

    /// Lets all clients go.
    public func leave() {
        attackers = []
    }

    private func come() {
        do throws(Errno) {
            let socket = try UnixSocket(connectingTo: path)
            let habit = Habit.allCases[random.below(Habit.allCases.count)]
            attackers.append(Attacker(socket, habit, message(habit), steps: 1 + random.below(40)))
            clients += 1
        } catch {
            refusals += 1
        }
    }

    /// - Returns: false when the client goes.
    private func act(_ attacker: Attacker) -> Bool {
        attacker.steps -= 1
        if attacker.habit == .comeAndGo || attacker.steps < 0 { return false }
        if attacker.habit == .rest { return true }
        let most = attacker.habit == .drip ? 1 : 1 + random.below(32 << 10)
        let part = Array(attacker.pending.prefix(most))
        do {
            let count = try part.withUnsafeBytes { try attacker.socket.send($0) }
            bytes += count
            attacker.pending.removeFirst(count)
            if attacker.habit == .halfClose && attacker.pending.isEmpty { attacker.socket.endSending() }
            if attacker.pending.isEmpty && attacker.habit != .halfClose { attacker.pending = message(attacker.habit) }
            if ![.talkDeaf, .followDeaf].contains(attacker.habit) { return try read(attacker) }
            return true
        } catch {
            return false
        }
    }

    /// - Returns: false when the recorder has closed the connection.
    private func read(_ attacker: Attacker) throws -> Bool {
        let count = try scratch.withUnsafeMutableBytes { try attacker.socket.receive(into: $0) }
        answered += count ?? 0
        return count != 0
    }

    private func message(_ habit: Habit) -> [UInt8] {
        switch habit {
        case .flood: return [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 18)
        case .bomb:
            let bombs = [
                String(repeating: "[", count: 65_000), String(repeating: #"{"a":"#, count: 12_000),
                #"{"method":"io.kinebox.Recorder.Mark","parameters":{"label":"\ud800"}}"#,
                #"{"method":"io.kinebox.Recorder.Extend","parameters":{"duration":1e999}}"#,
                #"{"method":"io.kinebox.Recorder.ListClips","parameters":{"limit":99999999999999999999}}"#,
                #"{"method":"a","method":"io.kinebox.Recorder.GetStatus","method":5}"#,
                "{\"method\":\"" + String(repeating: "\\u0000", count: 9000) + "\"}",
            ]
            return Array(bombs[random.below(bombs.count)].utf8) + [0]
        case .followDeaf: return Self.call("Subscribe", more: true)
        default:
            var message: [UInt8] = []
            for _ in 0...random.below(4) { message += words() }
            if habit == .damage { for _ in 0...random.below(8) { random.damage(&message) } }
            return message
        }
    }

    /// A call that is right.
    private func words() -> [UInt8] {
        let harmless = [
            ("GetStatus", "{}"), ("Start", "{}"), ("ListClips", #"{"limit":100}"#), ("ListMedia", "{}"),
            ("Identify", "{}"), ("SetMetadata", #"{"metadata":{"comment":"c"}}"#), ("Nothing", "{}"),
        ]
        let all =
            harmless + [
                ("Start", #"{"metadata":{"title":"é"}}"#), ("Start", #"{"name":"../x","duration":1.5}"#),
                ("Stop", "{}"), ("Pause", "{}"), ("Resume", "{}"), ("Split", "{}"), ("Mark", #"{"label":"here"}"#),
                ("Extend", #"{"duration":0.5}"#),
            ]
        let calls = isHarmless ? harmless : all
        let (method, parameters) = calls[random.below(calls.count)]
        return Self.call(method, parameters)
    }

    private static func call(_ method: String, _ parameters: String = "{}", more: Bool = false) -> [UInt8] {
        let text = "{\"method\":\"io.kinebox.Recorder.\(method)\",\"parameters\":\(parameters),\"more\":\(more)}"
        return Array(text.utf8) + [0]
    }
}
