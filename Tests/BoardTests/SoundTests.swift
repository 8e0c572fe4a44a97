import Glibc
import Judges
import Testing

extension BoardTests {
    @Suite("Sound card")
    struct SoundTests {
        /// One channel of what the card records, 48 kHz.
        private func record(seconds: Int) throws -> [Int16] {
            let raw = try Board.run(
                "arecord", "-q", "-D", "hw:Loopback,1,0", "-t", "raw", "-f", "S16_LE", "-r", "48000", "-c", "2",
                "--buffer-size=48000", "-d", "\(seconds)"
            ).output
            return stride(from: 0, to: raw.count - 3, by: 4).map {
                Int16(raw[$0]) | Int16(bitPattern: UInt16(raw[$0 + 1]) << 8)
            }
        }

        @Test("what is played is what is recorded: its pitch and its level", arguments: [440.0, 1000.0])
        func tone(hertz: Double) throws {
            try Board.control("sound", "play", "\(hertz)")
            let samples = try Array(record(seconds: 2).dropFirst(4800))
            try Board.control("sound", "stop")
            #expect(samples.count == 2 * 48000 - 4800)
            let rises = zip(samples, samples.dropFirst()).count { $0 < 0 && $1 >= 0 }
            #expect(abs(Double(rises) - hertz * Double(samples.count) / 48000) < 3)
            let peak = samples.max() ?? 0
            #expect(peak > 3270 && peak < 3280)
        }

        /// How many samples a second the card takes, by the kernel's own count, over ten seconds.
        private func rate() throws -> Double {
            func look() throws -> (Double, Double) {
                let status = try Board.shell(
                    "awk '/^tstamp/ { t = $3 } /^hw_ptr/ { print t, $3 }' /proc/asound/Loopback/pcm0p/sub0/status")
                let words = status.split(whereSeparator: { $0 == " " || $0 == "\n" }).compactMap(Double.init)
                return (words.first ?? 0, words.last ?? 0)
            }
            // On a machine that is busy the player may come too late, and the count begins anew: then once more.
            var rate = 0.0
            for _ in 0..<3 where rate < 40000 {
                let (begin, played) = try look()
                sleep(10)
                let (end, playedThen) = try look()
                rate = (playedThen - played) / (end - begin)
            }
            return rate
        }

        @Test("the card's clock is off by as much as was asked", arguments: [0, 1000, -1000])
        func shift(ppm: Int) throws {
            try Board.control("sound", "shift", "\(ppm)")
            try Board.control("sound", "play")
            let seen = (try rate() / 48000 - 1) * 1_000_000
            try Board.control("sound", "stop")
            try Board.control("sound", "shift", "0")
            // The kernel counts in whole milliseconds here: 200 ppm over ten seconds.
            #expect(abs(seen - Double(ppm)) < 300, "\(seen) ppm")
        }

        @Test("a clap: the beep begins at the instant that was told, and the picture turns white with it")
        func clap() throws {
            try Board.control("hdmi", "on", "1280x720@60")
            try Board.shell("v4l2-ctl -d /dev/board/hdmi --set-dv-bt-timings query >/dev/null")
            try Board.shell("v4l2-ctl -d /dev/board/hdmi -v pixelformat=NV12")
            let clapping = try Board.start("exec boardctl clap 1 4")
            let frames = try Board.start(
                "exec v4l2-ctl -d /dev/board/hdmi --stream-mmap=8 --stream-count=240 --verbose --stream-to=/tmp/clap.yuv"
            )
            let ending = clapping.wait(atMost: 30)
            let log = frames.wait(atMost: 30)
            #expect(ending.exitCode == 0, "\(ending)")
            let claps = ending.text.split(separator: "\n").compactMap { Double($0.split(separator: " ").last ?? "") }
            #expect(claps.count == 4)
            for (before, after) in zip(claps, claps.dropFirst()) { #expect(abs(after - before - 1e9) < 20e6) }

            // Frame by frame: its time, and whether it is white.
            let text = (log.text + log.errors).split(whereSeparator: { $0 == "\n" || $0 == "\r" })
            let times = text.compactMap { line -> Double? in
                guard line.contains("cap dqbuf") else { return nil }
                let words = line.split(separator: " ")
                return words.firstIndex(of: "ts:").flatMap { Double(words[$0 + 1]) }
            }
            let size = 1280 * 720 * 3 / 2
            let luma = try Board.shell(
                "for ((i = 0; i < \(times.count); i++)); do echo $((i * \(size) + 640)); done | "
                    + "perl -ne 'BEGIN { open F, \"<\", \"/tmp/clap.yuv\" } seek F, $_, 0; read F, $b, 1; print ord($b), \"\\n\"'"
            ).split(separator: "\n").compactMap { Int($0) }
            #expect(times.count == 240 && luma.count == 240)
            let whitened = zip(times, zip(luma, luma.dropFirst())).enumerated().compactMap { index, frame in
                frame.1.0 < 100 && frame.1.1 > 200 ? times[index + 1] : nil
            }
            #expect(whitened.count >= 2)
            // Each began at the first frame after a clap that was told: at most a frame, and a busy machine, later.
            for time in whitened {
                let late = claps.map { time - $0 / 1e9 }.filter { $0 >= 0 }.min() ?? .infinity
                #expect(late < 0.1, "\(late) s after the clap: \(whitened), \(claps)")
            }
            unlink("/tmp/clap.yuv")
        }
    }
}
