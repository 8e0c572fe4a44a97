import Glibc
import Judges
import Linux
import Media
import Storage
import Testing

extension BoardTests {
    /// What the daemon is told of media, from plugging in to pulling.
    @Suite("The place where media are plugged in")
    struct MediaBayTests {
        private let stick = PluggedStick()

        /// Waits until the bay says something that is looked for. What it says before is passed over.
        private func wait<Found>(_ bay: MediaBay, _ isFound: (MediaEvent) -> Found?) throws -> Found {
            let end = MonotonicTime.now + 60_000_000_000
            while true {
                bay.process()
                while let event = bay.nextEvent() {
                    if let found = isFound(event) { return found }
                }
                var entry = pollfd(fd: bay.descriptor, events: Int16(POLLIN), revents: 0)
                poll(&entry, 1, 1000)
                try #require(MonotonicTime.now < end, "it says nothing of it: \(bay.list)")
            }
        }

        private func wait(_ bay: MediaBay, until states: Medium.State...) throws {
            if bay.list.map(\.state) == states { return }
            try wait(bay) { _ in bay.list.map(\.state) == states ? () : nil }
        }

        private func recovered(_ bay: MediaBay) throws -> Medium {
            let medium: Medium = try wait(bay) { if case .mounted(let medium) = $0 { medium } else { nil } }
            #expect(medium.state == .preparing)
            bay.recovered(medium.name)
            return medium
        }

        @Test("tells of a stick that is prepared, recovered, filled, and ejected")
        func life() throws {
            let bay = try MediaBay(order: [], leastRoom: 32 << 20, runtime: stick.runtime)
            #expect(bay.list == [])
            let device = try stick.plugIn("vfat", "64M")
            let folder = try stick.prepare(device)
            let medium = try recovered(bay)
            #expect(medium.place == MediumPlace(folder: folder, number: device.number))
            try wait(bay, until: .ready)
            let room = try #require(bay.list.first?.freeByteCount)
            #expect(room > 48 << 20 && room <= 64 << 20 && bay.list.first?.fileSystem == "vfat")
            // A daemon that was started anew learns of it as well.
            let other = try MediaBay(order: [], leastRoom: 32 << 20, runtime: stick.runtime)
            #expect(try recovered(other).name == medium.name)
            try Board.shell("head -c 40M /dev/zero >\(folder)/FULL.BIN; sync -f \(folder)")
            bay.refresh()
            try wait(bay, until: .full)
            bay.prefer([], leastRoom: 8 << 20)
            #expect(bay.list.map(\.state) == [.ready])
            try eject(bay, device, medium)
        }

        /// As the unit does it that waits for the wish.
        private func eject(_ bay: MediaBay, _ device: BlockDevice, _ medium: Medium) throws {
            let wish = "\(stick.runtime.wishes)/\(device.name)"
            try Board.shell("exec sleep 1000 >\(medium.place?.folder ?? "")/open & echo $! >/run/holder")
            try bay.eject(medium.name)
            #expect(access(wish, F_OK) == 0 && bay.list.map(\.state) == [.leaving])
            #expect(throws: Failure.self) { try stick.removal(of: device).eject() }
            let refusal: Failure = try wait(bay) { if case .notEjected(_, let why) = $0 { why } else { nil } }
            #expect(refusal.kind == .busy && access(wish, F_OK) != 0)
            try wait(bay, until: .ready)
            try Board.shell("kill $(cat /run/holder); sleep 0.2")
            try bay.eject(medium.name)
            try stick.removal(of: device).eject()
            let name: String = try wait(bay) { if case .ejected(let name) = $0 { name } else { nil } }
            #expect(name == medium.name)
            try wait(bay)
            try Board.control("stick", "out")
            #expect { try bay.eject(medium.name) } throws: { ($0 as? Failure)?.kind == .noMedium }
        }

        @Test("tells at once of a stick that is pulled, and does not take its remains for one that comes")
        func pulled() throws {
            let bay = try MediaBay(order: [], leastRoom: 0, runtime: stick.runtime)
            let device = try stick.plugIn("exfat")
            _ = try stick.prepare(device)
            _ = try recovered(bay)
            try wait(bay, until: .ready)
            try Board.control("stick", "out")
            try wait(bay)
            #expect(stick.runtime.record(of: device.name) != nil, "nobody has let go of it yet")
            try Board.control("stick", "in")
            let again = try stick.device()
            bay.process()
            #expect(bay.list == [])
            _ = try stick.prepare(again)
            #expect(try recovered(bay).device == again.name)
            bay.failed(bay.list[0].name, Failure(.mediumFailed, "cannot write", because: "Input/output error"))
            guard case .failed = bay.list[0].state else {
                Issue.record("somebody could not write to it")
                return
            }
            try Board.control("stick", "out")
            MediumRemoval.forget(again.name, stick.rule, stick.runtime)
            try wait(bay)
        }

        @Test("tells of one that is write protected, and prefers what it is told to prefer")
        func several() throws {
            let bay = try MediaBay(order: [], leastRoom: 0, runtime: stick.runtime)
            let device = try stick.plugIn("ext4")
            _ = try stick.prepare(device)
            _ = try recovered(bay)
            try wait(bay, until: .ready)
            try Board.control("stick", "protect")
            _ = try stick.prepare(try stick.device())
            try wait(bay, until: .readOnly)
            try Board.control("stick", "unprotect")
            let writable = try stick.device()
            _ = try stick.prepare(writable)
            _ = try recovered(bay)
            try Board.control("stick", "2", "in", "vfat")
            let other = try stick.device("stick2")
            _ = try stick.prepare(other)
            _ = try recovered(bay)
            try wait(bay, until: .ready, .ready)
            bay.prefer([other.content?.uuid ?? ""], leastRoom: 0)
            #expect(bay.list.map(\.device) == [other.name, writable.name])
            for device in [writable, other] { try stick.removal(of: device).eject() }
            try wait(bay)
            try Board.control("stick", "out")
            try Board.control("stick", "2", "out")
        }
    }
}
