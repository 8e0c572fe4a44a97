import Glibc
import Judges
import KMS
import Linux
import Media
import Testing

extension BoardTests {
    /// The program that may read screens shows them to the recorder, to nobody else, and keeps nothing.
    @Suite("The privileged program", .serialized)
    struct PrivilegedProgramTests {
        /// Orders a picture, and waits for it.
        private func look(
            _ reader: some ScreenReader, _ view: ScreenView, _ order: ScreenOrder = ScreenOrder()
        ) throws {
            try reader.order(order)
            let end = MonotonicTime.now + 20_000_000_000
            while try !reader.next(view) {
                try #require(MonotonicTime.now < end, "nothing came")
                var entry = pollfd(fd: reader.descriptor, events: Int16(POLLIN), revents: 0)
                _ = poll(&entry, 1, 1000)
            }
        }

        /// The mode that a view tells; empty where there is none.
        private func size(_ view: ScreenView) -> String {
            if case .lit(let mode) = view.state { "\(mode.width)x\(mode.height)" } else { "" }
        }

        @Test("through it the same is seen as without it: planes, memory, blanks, their times; and so when it changes")
        func same() throws {
            try Board.control("screen", "show", "640x480")
            let program = try ScreenProgram(for: "root")
            let client = try ScreenClient(connector: "Virtual-1", at: program.path)
            try client.awaitOpening()
            let card = try CardReader(connector: "Virtual-1")
            let (seen, own) = (ScreenView(), ScreenView())
            for step in 0..<3 {
                if step == 1 { try Board.control("screen", "flip", "3") }
                if step == 2 { try Board.control("screen", "cursor", "100", "50") }
                try look(client, seen)
                try look(card, own)
                #expect(seen.state == own.state && seen.planes == own.planes && seen.signature == own.signature)
                #expect(seen.planes.count == (step == 2 ? 2 : 1))
                #expect(seen.buffers.map(\.byteCount) == own.buffers.map(\.byteCount) && !seen.buffers.isEmpty)
                for (one, other) in zip(seen.buffers, own.buffers) {
                    var status = (stat(), stat())
                    #expect(fstat(one.descriptor, &status.0) == 0 && fstat(other.descriptor, &status.1) == 0)
                    #expect(status.0.st_ino == status.1.st_ino, "it is the same memory")
                }
                let blanks = Double(own.sequence) - Double(seen.sequence)
                #expect(abs(Double(own.time - seen.time) * 60 / 1e9 - blanks) < 0.2)
            }
            let known = seen.signature
            try look(client, seen, ScreenOrder(known: known))
            #expect(seen.isKnown && seen.buffers.isEmpty && seen.planes == own.planes)
            try Board.control("screen", "dark")
            try look(client, seen)
            #expect(seen.state == .off && seen.planes.isEmpty && seen.buffers.isEmpty)
            try Board.control("screen", "stop")
            #expect(program.end().exitCode == 0)
            #expect(throws: Failure.self) { while try !client.next(seen) {} }
        }

        @Test(
            "while it reads the console, a program that comes becomes master and sets modes, and is read from then on")
        func compositorLater() throws {
            // Behind the last program the kernel shows its console.
            try Board.control("screen", "show", "640x480")
            try Board.control("screen", "stop")
            let program = try ScreenProgram(for: "root")
            let client = try ScreenClient(connector: "Virtual-1", at: program.path)
            try client.awaitOpening()
            let view = ScreenView()
            func reach(_ isReached: (String) -> Bool) throws {
                for _ in 0..<50 where !isReached(size(view)) { try look(client, view) }
                #expect(isReached(size(view)), "\(view.state)")
            }
            try reach { !$0.isEmpty }
            #expect(program.descriptors.contains { $0.hasPrefix("/dev/dri/card") })
            for shown in ["640x480", "320x240"] {
                // It fails where it cannot become master.
                try Board.control("screen", "show", shown)
                try reach { $0 == shown }
                try Board.control("screen", "mode", "800x600")
                try reach { $0 == "800x600" }
                try Board.control("screen", "stop")
            }
            #expect(program.end().exitCode == 0)
        }

        @Test("it shows screens to the user for whom it runs and to root, and tells others why not")
        func users() throws {
            try Board.control("screen", "show", "640x480")
            let program = try ScreenProgram(for: "daemon")
            #expect(try ScreenProgram.look(as: "nobody", at: program.path).hasPrefix("Permission denied"))
            try Board.shell("chmod 666 \(program.path)")
            #expect(try ScreenProgram.look(as: "daemon", at: program.path) == "4 1\n")
            #expect(try ScreenProgram.look(as: "root", at: program.path) == "4 1\n")
            let refused = try ScreenProgram.look(as: "nobody", at: program.path)
            #expect(
                refused.hasPrefix("5 0 ") && refused.contains("user 65534") && refused.contains("--user"), "\(refused)")
            let status = try Board.shell("grep -E '^(Cap|NoNew)' /proc/\(program.identifier)/status").split(
                separator: "\n")
            for set in ["CapPrm", "CapEff", "CapBnd"] { #expect(status.contains("\(set):\t0000000000200000")) }
            for set in ["CapInh", "CapAmb"] { #expect(status.contains("\(set):\t0000000000000000")) }
            #expect(status.contains("NoNewPrivs:\t1"))
            #expect(program.end().exitCode == 0)
            try Board.shell("[ ! -e \(program.path) ]")
            try Board.control("screen", "stop")
        }

        @Test("without the right it says so in a sentence, and so does the recorder's side without it")
        func denied() throws {
            let refused = try Board.run(
                "setpriv", "--bounding-set=-sys_admin", "--inh-caps=-sys_admin", Kinebox.screensPath, "--user", "root")
            #expect(refused.exitCode == 1 && refused.errors.contains("CAP_SYS_ADMIN"), "\(refused)")
            #expect(refused.errors.split(separator: "\n").count == 1)
            let nobody = try Board.run(Kinebox.screensPath, "--user", "nobody-at-all")
            #expect(nobody.exitCode == 2 && nobody.errors.contains("nobody-at-all"))
            let never = try Board.run(Kinebox.screensPath, "--idle", "0")
            #expect(never.exitCode == 2 && never.errors.contains("1 to 86400"), "\(never)")
        }

        @Test("10 000 connections, most of them hostile, leave no descriptor, no memory and no handle behind")
        func hostile() throws {
            // Of a console that was read before, its memory stays shared.
            let unused = try ScreenProgram.sharedBuffers()
            try Board.control("screen", "show", "640x480")
            let program = try ScreenProgram(for: "root")
            var good: ScreenClient? = try ScreenClient(connector: "", at: program.path)
            let view = ScreenView()
            try look(#require(good), view)
            view.clear()
            // Counted while nobody else is there: of an attack the last connections may still be going.
            let descriptors = program.descriptors.count
            let attack = ScreenAttack(program.path, seed: 0xD00D)
            attack.run(connections: 1000)
            try look(#require(good), view)
            view.clear()
            let kilobytes = try program.kilobytes()
            let buffers = try ScreenProgram.sharedBuffers()
            attack.run(connections: 9000)
            #expect(attack.answers > 1000 && attack.refusals > 1000, "\(attack.answers), \(attack.refusals)")
            try look(#require(good), view)
            view.clear()
            try Board.until("[ $(ls /proc/\(program.identifier)/fd | wc -l) -le \(descriptors) ]")
            #expect(program.descriptors.count <= descriptors, "\(program.descriptors)")
            #expect(try program.kilobytes() - kilobytes < 512)
            #expect(try ScreenProgram.sharedBuffers() == buffers)
            // Memory that is shown no longer is free, though somebody looked at each piece of it: no handle holds it.
            try Board.control("screen", "fresh")
            let shared = try ScreenProgram.sharedKilobytes()
            for _ in 0..<30 {
                try Board.control("screen", "fresh")
                try look(#require(good), view)
                #expect(view.buffers.count == 1)
                view.clear()
            }
            #expect(try ScreenProgram.sharedKilobytes() - shared < 8 * 640 * 480 * 4 / 1024)
            // Where nothing is shown nothing is held, though somebody still looks.
            try Board.control("screen", "dark")
            try look(#require(good), view)
            #expect(view.state == .off)
            // The kernel keeps what was shared for as long as the program that drew it has a handle, and no longer. Who still
            // looks then is shown the console's, which is on the way to it until it reads or goes.
            good = nil
            try Board.control("screen", "stop")
            for _ in 0..<200 where try ScreenProgram.sharedBuffers() > unused { usleep(100_000) }
            #expect(try ScreenProgram.sharedBuffers() <= unused)
            #expect(program.end().exitCode == 0)
        }
    }
}
