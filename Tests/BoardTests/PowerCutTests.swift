import Glibc
import Judges
import Testing

extension OutsideTests {
    /// The whole box at a power cut: it was recording, the power goes and comes, and the file is there.
    @Suite("A recorder without power") struct PowerCutTests {
        private static let checkout = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }

        /// Boots a board with the recorder installed and the stick in it, and runs lines of shell there.
        private func boot(_ verb: [String], _ disk: String, _ configuration: String, _ lines: String) throws -> Ending {
            let before = """
                mkdir -p /etc/kinebox/kinebox.conf.d
                printf '[Recording]\\nVideo=test\\nAudio=tone\\nSize=320x240\\nRate=10\\n\(configuration)' \
                    >/etc/kinebox/kinebox.conf.d/test.conf
                tools/install --program \(Kinebox.path)
                """
            return try ChildProcess(
                "bash",
                [
                    "-c", "cd \(Self.checkout) && exec tools/virtual-board \"$@\"", "-",
                ] + verb + [
                    "--systemd", "--limit", "150", "--before", before, "--disk", disk, "--", "bash", "-euc",
                    "boardctl stick in /dev/board/disk0\n\(lines)",
                ]
            ).wait(atMost: 200)
        }

        @Test(
            "what the steady light promised is in the file when the power is back",
            arguments: ["vfat", "exfat", "ext4"])
        func saved(fileSystem: String) throws {
            let folder = try TemporaryFolder()
            let disk = folder.file("disk")
            let made = try Board.run(
                "bash", "-c", "truncate -s 600M \(disk) && PATH=$PATH:/usr/sbin:/sbin mkfs.\(fileSystem) \(disk)")
            #expect(made.exitCode == 0, "\(made)")
            let cut = try boot(
                ["power-cut", "--when", "safe for", "--delay", "0.3"], disk, "",
                """
                until kinebox media --json 2>/dev/null | grep -q '"state" : "ready"'; do sleep 0.1; done
                boardctl press record
                until kinebox status | grep -q '^recording safely'; do sleep 0.1; done
                sleep 3
                echo safe for three seconds
                sleep 60
                """)
            #expect(cut.exitCode == 0, "\(cut)")
            let after = try boot(
                ["run"], disk, "",
                """
                until journalctl -b -q MESSAGE_ID=2d8cc5460f2e4b2c9c6ab4d5751e8667 | grep -q mp4; do sleep 0.1; done
                kinebox clips
                kinebox check /media/kinebox/*/*.mp4
                kinebox status | head -n 1
                """)
            #expect(after.exitCode == 0 && after.text.hasSuffix("\nidle\n"), "\(after)")
            // Three seconds were safe, and two at most of all may be lost.
            let seconds = after.text.split(separator: "\n").first { $0.contains(".mp4: no fault found") }
                .flatMap { $0.split(separator: ", ").dropFirst().first?.split(separator: " ").first }
                .flatMap { Double($0) }
            #expect((seconds ?? 0) > 2, "\(after)")
        }

        @Test("where that is wanted, the recording goes on in a new file when the power is back")
        func goesOn() throws {
            // What is to be remembered is on the system's disk, which a board forgets: here it is on the stick's.
            let folder = try TemporaryFolder()
            let disk = folder.file("disk")
            let made = try Board.run(
                "bash", "-c", "truncate -s 600M \(disk) && PATH=$PATH:/usr/sbin:/sbin mkfs.ext4 -q \(disk)")
            #expect(made.exitCode == 0, "\(made)")
            let keep = "[Behaviour]\\nResumeAfterPowerCut=yes\\n"
            let cut = try boot(
                ["power-cut", "--when", "noted", "--delay", "0.3"], disk, keep,
                """
                until kinebox media --json 2>/dev/null | grep -q '"state" : "ready"'; do sleep 0.1; done
                kinebox start LECTURE
                until kinebox status | grep -q '^recording safely'; do sleep 0.1; done
                cd /media/kinebox/*
                cp /var/lib/kinebox/interrupted .
                sync
                echo noted
                sleep 60
                """)
            #expect(cut.exitCode == 0, "\(cut)")
            let after = try boot(
                ["run"], disk, keep,
                """
                systemctl stop kinebox.socket kinebox.service
                until grep -qs state=mounted /run/kinebox/media/sda; do sleep 0.1; done
                install -o kinebox -g kinebox /media/kinebox/*/interrupted /var/lib/kinebox/interrupted
                systemctl start kinebox.socket kinebox.service
                until kinebox status | grep -q '^recording safely'; do sleep 0.1; done
                kinebox stop
                ls /media/kinebox/*/*.mp4 | wc -l
                kinebox check /media/kinebox/*/*.mp4
                """)
            #expect(after.exitCode == 0 && after.text.contains("\n2\n"), "\(after)")
        }
    }
}
