import Glibc
import Judges
import KMS
import Linux
import Media
import Testing
import ToldScreen

/// What a screen shows is the same on both sides of the socket.
@Suite("A screen that is seen through a socket")
struct ScreenProtocolTests {
    private let mode = ScreenMode(
        connector: "HDMI-A-1", width: 1920, height: 1080, refresh: .thirty, hasBlanks: true)

    @Test("all that is told comes through: states, modes, planes, memory")
    func roundTrip() throws {
        let memory = try Memory()
        var chance = RandomScreen(seed: 7)
        var told = ToldScreen.Picture(.absent)
        let rig = try ScreenRig { _ in told }
        let client = try rig.client()
        let view = ScreenView()
        for round in 1...300 {
            told = ToldScreen.Picture(chance.state(), signature: UInt64(round))
            if case .lit = told.state {
                let buffers = chance.random.below(ScreenView.mostBuffers + 1)
                told.buffers = (0..<buffers).map { SharedBuffer(descriptor: memory.file.raw, byteCount: 1 + $0) }
                let planes = buffers == 0 ? 0 : chance.random.below(ScreenView.mostPlanes + 1)
                told.planes = (0..<planes).map { _ in chance.plane(buffers: buffers) }
            }
            try rig.look(client, view)
            #expect(view.state == told.state && view.planes == told.planes && !view.isKnown)
            #expect(view.buffers.map(\.byteCount) == told.buffers.map(\.byteCount))
            #expect(view.buffers.allSatisfy { memory.isSame(as: $0.descriptor) })
            #expect(view.time == ToldScreen.time(of: view.sequence))
            if case .lit = told.state { #expect(view.signature == told.signature) }
            #expect(memory.descriptorCount == 1 + view.buffers.count, "the server keeps none")
        }
        view.clear()
        #expect(memory.descriptorCount == 1)
    }

    @Test("for what is known no memory is handed over")
    func known() throws {
        let memory = try Memory()
        var chance = RandomScreen(seed: 3)
        let told = ToldScreen.Picture(
            .lit(mode), planes: [chance.plane(buffers: 1)],
            buffers: [SharedBuffer(descriptor: memory.file.raw, byteCount: 4096)], signature: 9)
        let rig = try ScreenRig { _ in told }
        let client = try rig.client()
        let view = ScreenView()
        try rig.look(client, view, ScreenOrder(sequence: 100, known: 8))
        #expect(view.buffers.count == 1 && !view.isKnown && view.sequence == 100)
        try rig.look(client, view, ScreenOrder(sequence: 250, known: 9))
        #expect(view.buffers.isEmpty && view.isKnown && view.planes == told.planes && view.sequence == 250)
    }

    @Test("an order that is replaced before its answer is read is not answered any more")
    func replaced() throws {
        let rig = try ScreenRig { sequence in ToldScreen.Picture(.lit(mode), signature: sequence) }
        let client = try rig.client()
        let view = ScreenView()
        try client.order(ScreenOrder(sequence: 10))
        try rig.settle()
        try client.order(ScreenOrder(sequence: 20))
        #expect(try !client.next(view))
        try rig.settle()
        #expect(try client.next(view) && view.sequence == 20)
        #expect(try !client.next(view))
    }

    @Test("that there is nothing to be seen is told again and again, and waits once for who does not listen")
    func unlit() throws {
        var told = ToldScreen.Picture(.off)
        let rig = try ScreenRig { _ in told }
        let client = try rig.client()
        let view = ScreenView()
        try rig.look(client, view)
        #expect(view.state == .off)
        for _ in 0..<100 {
            rig.screens[0].wake()
            try rig.settle()
        }
        #expect(try client.next(view) && view.state == .off)
        #expect(try !client.next(view))
        told = ToldScreen.Picture(.lit(mode))
        rig.screens[0].wake()
        try rig.settle()
        #expect(try client.next(view) && view.state == .lit(mode), "the order was still out")
    }

    @Test("what the reader fails with is what the client fails with, and then the connection has ended")
    func failure() throws {
        let reason = Failure(.noSource, "cannot read the screen", because: "höher", mend: "Mend it.")
        let tell: (UInt64) throws(Failure) -> ToldScreen.Picture = { _ throws(Failure) in throw reason }
        let rig = try ScreenRig(tell)
        let client = try rig.client()
        try client.order(ScreenOrder())
        try rig.settle()
        #expect(throws: reason) { try client.next(ScreenView()) }
        #expect(throws: reason) { try client.order(ScreenOrder()) }
        #expect(rig.server.clientCount == 0)
        let other = try rig.client("Nowhere-1")
        try rig.settle()
        #expect(throws: Failure(.noSource, "cannot open it", because: "it is not there")) {
            try other.awaitOpening(milliseconds: 1000)
        }
    }

    @Test("who opens and waits for it goes on when it is open")
    func opening() throws {
        let rig = try ScreenRig { _ in ToldScreen.Picture(.absent) }
        let client = try rig.client("HDMI-A-1")
        try rig.settle()
        try client.awaitOpening(milliseconds: 1000)
        #expect(rig.screens.count == 1)
    }

    @Test("four look at a time; one who has not said what it wants makes place")
    func places() throws {
        let rig = try ScreenRig { _ in ToldScreen.Picture(.absent) }
        let silent = try rig.stranger()
        let clients = try (0..<3).map { _ in try rig.client() }
        try rig.settle()
        #expect(rig.server.clientCount == 4)
        let fourth = try rig.client()
        try rig.settle()
        #expect(silent.isEnded && rig.server.clientCount == 4)
        try fourth.awaitOpening(milliseconds: 1000)
        let fifth = try rig.client()
        do throws(Failure) {
            try fifth.awaitOpening(milliseconds: 1000)
            Issue.record("five look at it")
        } catch {
            #expect(error.kind == .busy)
        }
        #expect(rig.server.clientCount == 4)
        for client in clients { try rig.look(client, ScreenView()) }
    }

    @Test("a connection that ends is a source that is gone")
    func ended() throws {
        let client = try UnixSocket.pair(.packets).divide { ours, theirs in
            _ = consume theirs
            return try ScreenClient(ours, connector: "")
        }
        do throws(Failure) {
            try client.order(ScreenOrder())
            Issue.record("an order was taken by nobody")
        } catch {
            #expect(error.kind == .noSource && error.description.contains("kinebox-kms"))
        }
    }

    @Test("where nobody listens, that is said, and who may record; not how to have it listen for somebody else")
    func nobody() throws {
        let folder = try TemporaryFolder()
        do throws(Failure) {
            _ = try ScreenClient(connector: "", at: folder.file("kms"))
            Issue.record("nobody listens")
        } catch {
            #expect(error.kind == .noSource && error.cause.contains("does not listen"))
            #expect(error.mend.contains("root") && !error.mend.contains("systemctl"), "\(error)")
        }
    }
}
