import Control
import Glibc
import Judges
import Testing

extension SystemTests {
    /// All hands in any order, held against a model: what the box answers, what state it is in, what its light shows and
    /// which files there are agree at every step.
    @Suite("All hands in any order", .serialized) struct HandsTests {
        /// Steps of the walk; `tools/bench/hands` takes a thousand.
        static let steps = getenv("KINEBOX_HANDS_STEPS").flatMap { Int(String(cString: $0)) } ?? 50
        static let seed = getenv("KINEBOX_HANDS_SEED").flatMap { UInt64(String(cString: $0)) } ?? 20_261_130

        private let hands = BoxHands()

        private func begin() throws {
            try InstalledRecorder.install("--no-start")
            try Board.shell(
                """
                cat >/etc/kinebox/kinebox.conf <<'LINES'
                [Recording]
                Video=test
                Size=320x240
                Rate=15
                Encoder=software
                Preset=ultrafast
                [Panel]
                RecordButton=key:RECORD
                RecordLight=led:red:record
                [Media]
                LeastRoom=16M
                LINES
                boardctl sshd person
                usermod -aG kinebox person
                boardctl stick in exfat 400M
                systemctl start kinebox.service
                """)
            _ = try hands.rest(withStick: true)
        }

        @Test("states, answers, light and files agree with the model") func walk() throws {
            try begin()
            var (model, dice) = (BoxModel(), Xorshift(state: Self.seed))
            var tally: [String: Int] = [:]
            for step in 1...Self.steps {
                let words: String
                if dice.below(8) == 0 {
                    words = try burst(&model, &dice)
                } else {
                    words = try single(&model, &dice)
                }
                let status = try hands.rest(withStick: model.hasStick)
                let isRight = model.words.contains(status.state.rawValue)
                #expect(isRight, "step \(step), \(words): \(status.state) is none of \(model.words)")
                #expect(status.isSafe == (status.state == .recording) || status.light == .unsaved, "step \(step)")
                if step % 5 == 0 { try lookAtLight("step \(step), \(words)") }
                tally[words, default: 0] += 1
            }
            for (words, count) in tally.sorted(by: { $0.key < $1.key }) { print("figure \(words) \(count)") }
            try lookAtFiles(model)
        }

        /// One hand wants one thing.
        private func single(_ model: inout BoxModel, _ dice: inout Xorshift) throws -> String {
            let wishes = BoxModel.Wish.allCases
            var wish = wishes[dice.below(wishes.count)]
            // A hand on the stick is rarer than one on the box.
            if wish == .pull, !model.hasStick || dice.below(2) == 0 { wish = model.hasStick ? .start : .plug }
            if wish == .plug, model.hasStick { wish = .start }
            if wish == .pull || wish == .plug {
                try Board.control("stick", wish == .pull ? "out" : "in")
                _ = model.answer(to: wish)
                return wish.rawValue
            }
            let all = BoxHands.Hand.allCases
            let hand = all[dice.below(all.count)]
            if hand == .button {
                model.press()
                _ = try hands.wish(wish, by: hand)
                return "press"
            }
            let expected = model.answer(to: wish)
            let answer = try hands.wish(wish, by: hand)
            #expect(answer == expected, "\(wish) by \(hand)")
            return "\(wish.rawValue)_by_\(hand.rawValue)"
        }

        /// Several hands want something at once: each gets an answer that there is, and the box is in a state that there is.
        private func burst(_ model: inout BoxModel, _ dice: inout Xorshift) throws -> String {
            let wishes: [BoxModel.Wish] = [.start, .stop, .pause, .resume, .split, .mark]
            var running: [(BoxModel.Wish, BoxHands.Hand, ChildProcess)] = []
            for _ in 0..<3 {
                let wish = wishes[dice.below(wishes.count)]
                let hand = BoxHands.Hand.allCases[dice.below(BoxHands.Hand.allCases.count)]
                running.append((wish, hand, try hands.begin(wish, by: hand)))
            }
            for (wish, hand, process) in running {
                let answer = BoxHands.answer(process.wait(atMost: 90))
                let known = ["done", "AlreadyRecording", "NotRecording", "Busy", "NoMedium"]
                #expect(known.contains(answer), "\(wish) by \(hand): \(answer)")
            }
            let status = try hands.rest(withStick: model.hasStick)
            if status.state == .fault {
                #expect(model.state == .lost || !model.hasStick)
                model.adopt(model.state == .lost ? "lost" : "idle")
                if model.state == .idle { _ = model.answer(to: .snapshot) }
            } else {
                model.adopt(status.state.rawValue)
            }
            return "burst"
        }

        /// The light itself, as the kernel sees it, shows what the socket says that it shows.
        private func lookAtLight(_ step: String) throws {
            let before = try hands.status().status
            let pattern = try Board.control("light", "red", "0.6").last ?? ""
            let after = try hands.status().status
            // What changed meanwhile, such as a refusal that was shown long enough, is no measure.
            guard before.light == after.light else { return }
            switch before.light {
            case .steady, .notch: #expect(pattern == "pattern on" || before.light == .notch, "\(step): \(pattern)")
            case .off: #expect(pattern == "pattern off", "\(step): \(pattern)")
            case .arming, .unsaved, .paused, .pending, .finalising, .blinks: break
            }
        }

        /// All that was recorded is there, whole and without a fault.
        private func lookAtFiles(_ model: BoxModel) throws {
            if !model.hasStick { try Board.control("stick", "in") }
            if model.state == .recording || model.state == .paused { _ = try hands.wish(.stop, by: .socket) }
            _ = try hands.rest(withStick: true)
            let clips = try RecorderClient(.socket(RecorderServer.usualPath)).call(RecorderAPI.ListClips.self, .init())
            print("figure clips \(clips.clips.count) clips")
            #expect(!clips.clips.isEmpty)
            for clip in clips.clips { #expect(clip.isWhole == true, "\(clip)") }
            let found = try Board.run("bash", "-c", "kinebox check /media/kinebox/*/*.mp4")
            #expect(found.exitCode == 0, "\(found)")
            #expect(try Board.shell("systemctl show -P NRestarts kinebox.service") == "0\n")
            try Board.shell(
                """
                for file in /media/kinebox/*/*.mp4; do ffprobe -v error -show_entries format=duration "$file" >/dev/null; done
                """)
        }
    }
}
