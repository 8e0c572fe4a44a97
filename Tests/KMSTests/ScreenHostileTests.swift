import Glibc
import Judges
import KMS
import Linux
import Media
import Testing
import ToldScreen

/// Whatever comes through the socket, nothing is kept of it and nobody else notices.
@Suite("A screen and those who mean it no good")
struct ScreenHostileTests {
    private static let mode = ScreenMode(
        connector: "HDMI-A-1", width: 640, height: 480, refresh: .thirty, hasBlanks: true)

    /// What clients send, and what the server answers, taken from a conversation that is right.
    private func conversation(_ picture: ToldScreen.Picture) throws -> (asked: [[UInt8]], answered: [[UInt8]]) {
        let asked = try UnixSocket.pair(.packets).divide { ours, theirs in
            let client = try ScreenClient(ours, connector: "HDMI-A-1")
            try client.order(ScreenOrder(sequence: 3, known: 1))
            return RawPeer(theirs).messages()
        }
        let rig = try ScreenRig { _ in picture }
        let peer = try rig.stranger()
        for message in asked { peer.send(message) }
        try rig.settle()
        return (asked, peer.messages())
    }

    /// A message with something wrong in it, or one of chance.
    private func damaged(_ messages: [[UInt8]], _ random: inout Xorshift) -> [UInt8] {
        var message = messages[random.below(messages.count)]
        switch random.below(6) {
        case 0: return (0..<random.below(300)).map { _ in UInt8(random.below(256)) }
        case 1: message.removeLast(random.below(message.count))
        case 2: message += (0..<1 + random.below(40)).map { _ in UInt8(random.below(256)) }
        case 3:
            for _ in 0...random.below(4) { random.damage(&message) }
            return message
        default:
            // The length stays right, so that what is behind it is looked at.
            for _ in 0...random.below(3) where message.count > 8 {
                message[8 + random.below(message.count - 8)] =
                    [0, 1, 0x7F, 0x80, 0xFF, UInt8(random.below(256))][
                        random.below(6)]
            }
            return message
        }
        let size = UInt32(message.count)
        for index in 0..<4 where message.count > 7 {
            message[4 + index] = UInt8(truncatingIfNeeded: size >> (8 * index))
        }
        return message
    }

    @Test(
        "clients that send anything, with descriptors of their own, leave nothing behind",
        arguments: 1...4 as ClosedRange<UInt64>)
    func clients(seed: UInt64) throws {
        let memory = try Memory()
        let own = try Memory()
        var chance = RandomScreen(seed: seed)
        let picture = ToldScreen.Picture(
            .lit(Self.mode), planes: [chance.plane(buffers: 1)],
            buffers: [SharedBuffer(descriptor: memory.file.raw, byteCount: 4096)])
        let messages = try conversation(picture).asked
        let rig = try ScreenRig { _ in picture }
        let good = try rig.client()
        let view = ScreenView()
        var random = Xorshift(state: seed)
        for round in 0..<2000 {
            let peer = try rig.stranger()
            if random.below(3) > 0 { peer.send(messages[0]) }
            for _ in 0...random.below(4) {
                let isRight = random.below(3) == 0
                let message = isRight ? messages[random.below(2)] : damaged(messages, &random)
                let count = random.below(3) == 0 ? random.below(64) : 0
                peer.send(message, with: [Int32](repeating: own.file.raw, count: count))
            }
            if random.below(2) == 0 { try rig.settle() }
            if round % 50 == 0 { try rig.look(good, view) }
        }
        try rig.settle()
        view.clear()
        #expect(rig.server.clientCount == 1)
        #expect(memory.descriptorCount == 1 && own.descriptorCount == 1)
        try rig.look(good, view)
        #expect(view.planes == picture.planes)
    }

    @Test(
        "answers that are none are refused, and their descriptors are closed", arguments: 1...4 as ClosedRange<UInt64>)
    func answers(seed: UInt64) throws {
        let memory = try Memory()
        var chance = RandomScreen(seed: seed)
        let buffers = (0..<3).map { _ in SharedBuffer(descriptor: memory.file.raw, byteCount: 4096) }
        let picture = ToldScreen.Picture(
            .lit(Self.mode), planes: (0..<4).map { _ in chance.plane(buffers: 3) }, buffers: buffers, signature: 5)
        var answers = try conversation(picture).answered
        try #require(answers.count == 2)
        let opened = answers.removeFirst()
        var random = Xorshift(state: seed)
        var (taken, refused) = (0, 0)
        for _ in 0..<4000 {
            try UnixSocket.pair(.packets).divide { ours, theirs in
                let client = try ScreenClient(ours, connector: "")
                let peer = RawPeer(theirs)
                try client.order(ScreenOrder())
                if random.below(10) > 0 { peer.send(opened) }
                let count = random.below(3) == 0 ? random.below(64) : 3
                peer.send(damaged(answers, &random), with: [Int32](repeating: memory.file.raw, count: count))
                let view = ScreenView()
                do throws(Failure) {
                    if try client.next(view) { taken += 1 }
                    #expect(view.buffers.count == (view.planes.isEmpty ? view.buffers.count : 3))
                    for plane in view.planes { #expect(plane.pieces.allSatisfy { $0.buffer < 64 }) }
                } catch {
                    refused += 1
                    #expect(error.kind == .noSource && view.buffers.isEmpty && view.planes.isEmpty)
                    #expect(throws: Failure.self) { try client.next(view) }
                }
            }
        }
        #expect(memory.descriptorCount == 1)
        #expect(refused > 1000 && taken > 0, "\(taken) taken, \(refused) refused")
    }

    @Test("more descriptors than there is room for are closed, all of them", arguments: [0, 1, 2, 3, 63, 64])
    func tooManyDescriptors(room: Int) throws {
        let memory = try Memory()
        let descriptors = [Int32](repeating: memory.file.raw, count: 64)
        var places = [Int32](repeating: -1, count: room)
        var (byte, count) = (UInt8(1), 0)
        let reason = try UnixSocket.pair(.packets).divide { ours, theirs -> Errno? in
            try withUnsafeMutableBytes(of: &byte) { bytes in
                try descriptors.withUnsafeBufferPointer {
                    try ours.sendMessage(UnsafeRawBufferPointer(bytes), with: $0)
                }
                do throws(Errno) {
                    try places.withUnsafeMutableBufferPointer { places throws(Errno) in
                        _ = try theirs.receiveMessage(into: bytes, with: places, &count)
                    }
                    return nil
                } catch {
                    return error
                }
            }
        }
        if room == 64 {
            #expect(reason == nil && count == 64 && memory.descriptorCount == 65)
            #expect(places.allSatisfy { fcntl($0, F_GETFD) & FD_CLOEXEC != 0 })
            for place in places { close(place) }
        } else {
            #expect(reason == Errno(EMSGSIZE) && count == 0 && memory.descriptorCount == 1)
        }
    }

    @Test("who orders and does not read is dropped, and so is what was on its way to it")
    func deaf() throws {
        let memory = try Memory()
        var chance = RandomScreen(seed: 2)
        let picture = ToldScreen.Picture(
            .lit(Self.mode), planes: [chance.plane(buffers: 1)],
            buffers: [SharedBuffer(descriptor: memory.file.raw, byteCount: 4096)])
        let rig = try ScreenRig { _ in picture }
        let messages = try conversation(picture).asked
        let peer = try rig.stranger()
        peer.send(messages[0])
        var orders = 0
        while rig.server.clientCount > 0 && orders < 500 {
            peer.send(messages[1])
            try rig.settle()
            orders += 1
        }
        #expect(orders > 4 && orders < 100, "\(orders) answers lay about")
        #expect(memory.descriptorCount == 1)
    }

    @Test("a flood of orders ends the connection, and others are served")
    func flood() throws {
        let rig = try ScreenRig { _ in ToldScreen.Picture(.off) }
        let messages = try conversation(ToldScreen.Picture(.off)).asked
        let (peer, good) = (try rig.stranger(), try rig.client())
        peer.send(messages[0])
        try rig.settle()
        var orders = 0
        while rig.server.clientCount == 2 && orders < 100_000 {
            peer.send(messages[1])
            try rig.settle()
            _ = peer.messages()
            orders += 1
        }
        #expect(orders > 1000 && orders < 100_000)
        try rig.look(good, ScreenView())
    }

    @Test("another version of the protocol is told so")
    func version() throws {
        let rig = try ScreenRig { _ in ToldScreen.Picture(.off) }
        var opening = try conversation(ToldScreen.Picture(.off)).asked[0]
        opening[0] = 2
        let peer = try rig.stranger()
        peer.send(opening)
        try rig.settle()
        let told = String(decoding: peer.receive() ?? [], as: UTF8.self)
        #expect(told.contains("version 2") && told.contains("same version"), "\(told)")
        #expect(peer.isEnded && rig.server.clientCount == 0)
    }
}
