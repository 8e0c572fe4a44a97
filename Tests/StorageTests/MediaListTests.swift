import Judges
import Linux
import Media
import Testing

@testable import Storage

/// What can be done with media, and in which order they are preferred, from what is told of them.
@Suite("Media")
struct MediaListTests {
    private static let now = MonotonicTime(nanoseconds: 1_000_000_000_000)

    private func record(
        _ device: String, _ minor: UInt64, name: String, uuid: String = "1", label: String = "",
        state: MediumRecord.State = .mounted
    ) -> MediumRecord {
        let content = FileSystemContent(type: "exfat", uuid: uuid, label: label)
        let disk = BlockDevice(
            node: "/dev/" + device, systemPath: "", number: DeviceNumber.make(8, minor), disk: 0, sequence: minor,
            bus: .usb, byteCount: 1 << 30, content: content)
        var record = MediumRecord(disk, name: name, content: content)
        record.state = state
        record.folder = [.checking, .failed, .ejected].contains(state) ? "" : "/media/kinebox/" + name
        record.time = Self.now
        return record
    }

    private func mounts(_ records: [MediumRecord], _ options: String = "rw") -> MountTable {
        MountTable(
            records.map { record in
                "40 22 8:\(record.number & 0xFF) / \(record.folder) \(options) - exfat /dev/\(record.device) rw\n"
            }.joined())
    }

    /// All of them have answered and are recovered.
    private func list(_ records: [MediumRecord], order: [String] = [], free: [Int64] = []) -> MediaList {
        var list = MediaList(order: order, leastRoom: 64_000_000)
        for (index, record) in records.enumerated() {
            let room = MediumRoom(freeByteCount: index < free.count ? free[index] : 1_000_000_000)
            list.knowledge[record.key] = .init(room: room, isRecovered: true)
        }
        return list
    }

    private func state(
        _ record: MediumRecord, _ list: MediaList, _ mounts: MountTable, after nanoseconds: Int64 = 0
    ) -> Medium.State {
        list.medium(record, mounts, Self.now + nanoseconds).state
    }

    @Test("take recordings when they are mounted, have answered and are recovered, and not before")
    func ready() {
        let stick = record("sda1", 1, name: "LECTURES", label: "LECTURES")
        let there = mounts([stick])
        let all = list([stick])
        #expect(state(stick, all, there) == .ready)
        #expect(state(stick, MediaList(order: [], leastRoom: 0), there) == .preparing)
        var unanswered = all
        unanswered.knowledge[stick.key]?.room = nil
        var unrecovered = all
        unrecovered.knowledge[stick.key]?.isRecovered = false
        for some in [unanswered, unrecovered] { #expect(state(stick, some, there) == .preparing) }
        let medium = all.medium(stick, there, Self.now)
        #expect(medium.place == MediumPlace(folder: "/media/kinebox/LECTURES", number: 0x801))
        #expect(medium.freeByteCount == 1_000_000_000 && medium.byteCount == 1 << 30)
        #expect(state(stick, list([stick], free: [63_999_999]), there) == .full)
    }

    @Test("are what is told of them: on their way in or out, of no use, or silent")
    func states() {
        let stick = record("sda1", 1, name: "A")
        let (all, there) = (list([stick]), mounts([stick]))
        for early in [MediumRecord.State.checking, .mounting] {
            let record = record("sda1", 1, name: "A", state: early)
            #expect(state(record, all, there) == .preparing)
            #expect(state(record, all, there, after: 60_000_000_000) == .preparing)
            guard case .failed(let failure) = state(record, all, there, after: 200_000_000_000) else {
                Issue.record("who hangs for minutes does not answer")
                continue
            }
            #expect(failure.kind == .mediumFailed && failure.thing.contains("A"))
        }
        #expect(state(record("sda1", 1, name: "A", state: .ejecting), all, there) == .leaving)
        #expect(state(record("sda1", 1, name: "A", state: .ejected), all, mounts([])) == .ejected)
        #expect(state(stick, all, mounts([])) == .ejected, "somebody else unmounted it")
        #expect(state(stick, all, mounts([record("sdb1", 17, name: "A")])) == .ejected, "another one is mounted there")
        #expect(state(stick, all, mounts([stick], "ro")) == .readOnly)
        var refused = record("sda1", 1, name: "A", state: .failed)
        refused.cause = "its file system is NTFS"
        guard case .failed(let failure) = state(refused, all, there) else {
            Issue.record("it cannot be used")
            return
        }
        #expect(failure.cause == "its file system is NTFS" && failure.thing == "cannot record to A")
    }

    @Test("are not used once somebody could not write to them, or while they owe an answer")
    func latched() {
        let stick = record("sda1", 1, name: "A")
        var all = list([stick])
        all.knowledge[stick.key]?.isSilent = true
        if case .failed = state(stick, all, mounts([stick])) {} else { Issue.record("it is silent") }
        all.knowledge[stick.key]?.isSilent = false
        let failure = Failure(.mediumFailed, "cannot write to it", because: "Input/output error")
        all.knowledge[stick.key]?.failure = failure
        #expect(state(stick, all, mounts([stick])) == .failed(failure))
        // The same device after it was plugged in again.
        var again = stick
        again.sequence += 1
        #expect(state(again, all, mounts([again])) == .preparing)
        all.knowledge[stick.key]?.wish = Self.now
        #expect(state(stick, all, mounts([stick])) == .leaving)
    }

    @Test("come in the order that was asked for, then those with most room first, those of no use last")
    func order() {
        let sticks = [
            record("sda1", 1, name: "A", uuid: "A"), record("sdb1", 17, name: "LECTURES", uuid: "B", label: "LECTURES"),
            record("sdc1", 33, name: "C", uuid: "C"), record("sdd1", 49, name: "D", uuid: "D"),
            record("sde1", 65, name: "E", uuid: "E", state: .failed), record("sdf1", 81, name: "F", uuid: "F"),
        ]
        let all = list(
            sticks, order: ["D", "LECTURES"], free: [2_000_000_000, 1_000_000_000, 3_000_000_000, 0, 0, 1_000_000])
        let names = all.media(sticks, mounts(sticks), now: Self.now).map(\.name)
        #expect(names == ["D", "LECTURES", "C", "A", "F", "E"])
    }

    @Test("have records that are read as they were written", arguments: MediumRecord.State.allCases)
    func records(_ state: MediumRecord.State) throws {
        let folder = try TemporaryFolder()
        let runtime = MediaRuntime(in: folder.path)
        try runtime.make(for: .current)
        var written = record("sda1", 1, name: "A=B", uuid: "1A2B-3C4D", label: "A=B", state: state)
        written.cause = "one\ntwo"
        written.isProtected = true
        try runtime.write(written)
        var read = try #require(runtime.record(of: "sda1"))
        #expect(read.time.nanoseconds > 0 && read.cause == "one two")
        (read.time, read.cause) = (written.time, written.cause)
        #expect(read == written)
        #expect(runtime.records().count == 1)
        #expect(MediumRecord(device: "sda1", text: "state=other\n") == nil)
        #expect(MediaRuntime(in: "/nowhere").record(of: "sda1") == nil)
    }

    @Test("are prepared one at a time where their names are chosen")
    func exclusively() throws {
        let folder = try TemporaryFolder()
        let runtime = MediaRuntime(in: folder.path)
        try runtime.make(for: .current)
        try runtime.exclusively { () throws(Errno) in
            let lock = try FileDescriptor.open(runtime.folder + "/.lock", 2)
            #expect(try lock.isLockedElsewhere())
        }
        try runtime.exclusively { () throws(Errno) in }
    }

    @Test("are not the empty folders in which they are mounted")
    func emptyFolder() {
        for folder in ["/tmp", "/nowhere"] {
            #expect { try MediumPlace(folder: folder, number: 1).verify() } throws: {
                ($0 as? Failure)?.kind == .noMedium
            }
        }
    }
}
