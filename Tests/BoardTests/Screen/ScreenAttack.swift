import Glibc
import Judges
import Linux

/// Those who connect to the privileged program and do what no recorder does, the same with the same seed.
final class ScreenAttack {
    private enum Habit: CaseIterable {
        case comeAndGo, openAndGo, orderAndGo, look, deaf, garbage, descriptors, version, twice, flood
    }

    private let path: String
    private var random: Xorshift
    private var scratch = [UInt8](repeating: 0, count: 8192)
    private var places = [Int32](repeating: -1, count: 64)
    private let own: FileDescriptor
    /// Pictures that came, and refusals.
    private(set) var answers = 0
    private(set) var refusals = 0

    init(_ path: String, seed: UInt64) {
        self.path = path
        random = Xorshift(state: seed)
        var ends: [Int32] = [-1, -1]
        pipe(&ends)
        close(ends[1])
        own = FileDescriptor(owning: ends[0])
    }

    private static func message(_ kind: UInt8, _ body: [UInt8], version: UInt8 = 1) -> [UInt8] {
        [version, 0, kind, 0, UInt8(8 + body.count), 0, 0, 0] + body
    }

    private static let opening = message(1, [UInt8](repeating: 0, count: 32))
    private static let order = message(2, [1] + [UInt8](repeating: 0, count: 23))

    func run(connections: Int) {
        for _ in 0..<connections {
            do throws(Errno) {
                let socket = try UnixSocket(connectingTo: path, kind: .packets)
                act(socket, Habit.allCases[random.below(Habit.allCases.count)])
            } catch {
                refusals += 1
            }
        }
    }

    private func act(_ socket: borrowing UnixSocket, _ habit: Habit) {
        switch habit {
        case .comeAndGo: break
        case .openAndGo: send(socket, Self.opening)
        case .orderAndGo:
            send(socket, Self.opening)
            send(socket, Self.order)
        case .look:
            send(socket, Self.opening)
            send(socket, Self.order)
            read(socket, messages: 2)
        case .deaf:
            send(socket, Self.opening)
            for _ in 0..<20 { send(socket, Self.order) }
        case .garbage:
            if random.below(2) == 0 { send(socket, Self.opening) }
            var message = random.below(2) == 0 ? Self.order : Self.opening
            for _ in 0...random.below(4) { random.damage(&message) }
            send(socket, message)
            read(socket, messages: 2)
        case .descriptors:
            send(socket, Self.opening, descriptors: 1 + random.below(64))
            read(socket, messages: 1)
        case .version:
            send(socket, Self.message(1, [UInt8](repeating: 0, count: 32), version: 9))
            read(socket, messages: 1)
        case .twice:
            send(socket, Self.opening)
            send(socket, Self.opening)
            read(socket, messages: 2)
        case .flood:
            send(socket, Self.opening)
            for _ in 0..<50 {
                send(socket, Self.order)
                read(socket, messages: 0)
            }
        }
    }

    private func send(_ socket: borrowing UnixSocket, _ message: [UInt8], descriptors: Int = 0) {
        let copies = [Int32](repeating: own.raw, count: descriptors)
        message.withUnsafeBytes { bytes in
            copies.withUnsafeBufferPointer { copies in
                // Who is cut off cannot send, which is what is to be shown.
                _ = try? socket.sendMessage(bytes, with: copies)
            }
        }
    }

    /// Reads what has come, and waits until so many messages have.
    private func read(_ socket: borrowing UnixSocket, messages: Int) {
        var left = messages
        while left > 0 && socket.isReadable(within: 2000) || socket.isReadable(within: 0) {
            var count = 0
            let size = scratch.withUnsafeMutableBytes { bytes in
                places.withUnsafeMutableBufferPointer { places in
                    // The other side's end is told of once, before what it said.
                    (try? socket.receiveMessage(into: bytes, with: places, &count))
                        ?? (try? socket.receiveMessage(into: bytes, with: places, &count))
                }
            }
            for place in places[..<count] { close(place) }
            guard let size = size ?? nil, size > 4 else { return }
            if scratch[2] == 4 { answers += 1 }
            if scratch[2] == 5 { refusals += 1 }
            left -= 1
        }
    }
}
