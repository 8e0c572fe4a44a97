import Glibc
import Linux
import Media
import Testing

@testable import Control

/// Who may look looks, who may record records, and the others are told whom to ask.
@Suite struct AccessTests {
    private static let studio = Group(name: "kinebox", number: 900)
    private static let audience = Group(name: "audience", number: 901)

    private static func peer(_ user: uid_t, _ group: gid_t = 1000, _ groups: [gid_t] = []) -> SocketPeer {
        SocketPeer(process: 1, user: user, group: group, groups: groups)
    }

    private static let access = Access(owner: 200, recorders: [studio], lookers: .members([audience]))

    private static let cases: [(SocketPeer, Access.Rights)] = [
        (peer(0), [.look, .record]), (peer(200), [.look, .record]), (peer(1000, 900), [.look, .record]),
        (peer(1000, 1000, [7, 900]), [.look, .record]), (peer(1000, 901), .look), (peer(1000, 1000, [901]), .look),
        (peer(1000), []), (peer(65_534, 65_534), []),
    ]

    @Test(arguments: cases)
    func rightsFollowUserAndGroups(_ peer: SocketPeer, _ rights: Access.Rights) {
        #expect(Self.access.rights(of: peer) == rights)
    }

    @Test func whoeverConnectsMayLookWhereThatIsWanted() {
        let access = Access(owner: 200, recorders: [Self.studio], lookers: .everyone)
        #expect(access.rights(of: Self.peer(1000)) == .look)
        #expect(access.rights(of: Self.peer(1000, 900)) == [.look, .record])
    }

    @Test func whoMayLookOnlyIsToldSoByEachMethodThatDoesSomething() throws {
        let rig = try Rig(access: Self.access)
        let client = try rig.client(as: Self.peer(1000, 901))
        for method in RecorderMethod.allCases where method != .subscribe {
            let parameters =
                method == .extend ? #"{"duration":1}"# : method == .setMetadata ? #"{"metadata":{}}"# : "{}"
            let reply = try rig.call(client, method.rawValue, parameters)
            if method.needed == .look {
                #expect(reply["error"] == .null, "\(method)")
            } else {
                #expect(reply["error"].text == "io.kinebox.Recorder.NotAuthorised", "\(method)")
                #expect(reply["parameters"]["user"].whole == 1000)
                #expect(reply["parameters"]["groups"] == .list([.text("kinebox")]))
            }
        }
        #expect(rig.recorder.calls.allSatisfy { $0.hasPrefix("clips") || $0 == "devices" })
        #expect(rig.recorder.refusals.count == RecorderMethod.allCases.filter { $0.needed == .record }.count)
    }

    @Test func aStrangerIsToldSoAndClosedAtOnce() throws {
        let rig = try Rig(access: Self.access)
        let client = try rig.client(as: Self.peer(1000))
        let told = try client.replies()
        #expect(told.map { $0["error"].text } == ["io.kinebox.Recorder.NotAuthorised"])
        #expect(told[0]["parameters"]["mend"].text == "Join the group kinebox or audience, and log in again.")
        #expect(client.isClosed && rig.server.clientCount == 0)
    }

    @Test func whoMayLookOnlyLeavesPlacesToWhoMayStop() throws {
        let rig = try Rig(access: Self.access)
        let lookers = try (1...12).map { _ in try rig.client(as: Self.peer(1000, 901)) }
        let thirteenth = try rig.client(as: Self.peer(1000, 901))
        #expect(try thirteenth.replies().map { $0["error"].text } == ["io.kinebox.Recorder.Busy"])
        let operators = try (1...4).map { _ in try rig.client(as: Self.peer(1001, 900)) }
        for client in lookers + operators { #expect(try rig.call(client, "GetStatus")["error"] == .null) }
        #expect(try rig.call(operators[0], "Start")["error"] == .null)
        #expect(try rig.client(as: Self.peer(1001, 900)).replies().count == 1, "sixteen are all there can be")
    }

    @Test func groupsAreFoundByName() throws {
        #expect(try Group(named: "root") == Group(name: "root", number: 0))
        do throws(Failure) {
            _ = try Group(named: "no-such-group")
            Issue.record("a group was made up")
        } catch {
            #expect(error.kind == .invalidValue && error.thing.contains("no-such-group"))
        }
    }
}
