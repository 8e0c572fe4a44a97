import MP4
import Media
import Recorder

/// Numbers in the words that people read.
enum Wording {
    /// "0:01:02".
    static func clock(nanoseconds: Int64) -> String {
        let seconds = max(0, nanoseconds) / 1_000_000_000
        return "\(seconds / 3600):\(twoDigits(seconds / 60 % 60)):\(twoDigits(seconds % 60))"
    }

    /// "10.0 s" below a minute, "0:12:30" from then on.
    static func duration(nanoseconds: Int64) -> String {
        nanoseconds < 60_000_000_000 ? seconds(nanoseconds) : clock(nanoseconds: nanoseconds)
    }

    /// "0:01:02.3": a place in a recording.
    static func moment(_ nanoseconds: Int64) -> String {
        "\(clock(nanoseconds: nanoseconds)).\(max(0, nanoseconds) / 100_000_000 % 10)"
    }

    /// "1.3 s".
    static func seconds(_ nanoseconds: Int64) -> String {
        tenths((max(0, nanoseconds) + 50_000_000) / 100_000_000) + " s"
    }

    /// "512 B", "12.3 kB", "4.2 MB", "3.9 GB".
    static func size(_ bytes: Int64) -> String {
        for (factor, unit) in [(1_000_000_000, "GB"), (1_000_000, "MB"), (1000, "kB")] as [(Int64, String)]
        where bytes >= factor {
            return tenths((bytes + factor / 20) / (factor / 10)) + " " + unit
        }
        return "\(bytes) B"
    }

    /// "6.0 Mb/s", "160 kb/s".
    static func bitrate(_ bits: Int) -> String {
        bits >= 1_000_000 ? tenths((Int64(bits) + 50_000) / 100_000) + " Mb/s" : "\(bits / 1000) kb/s"
    }

    /// The level of a sample in decibels below the greatest: "-18 dB"; "silent" below -90.
    static func level(_ peak: Int) -> String {
        guard peak > 0 else { return "silent" }
        var (level, power) = (0, Double(peak) / 32_768)
        // Steps of one decibel: 10^(1/20) each.
        while power < 0.9441 && level > -90 {
            power *= 1.122018454
            level -= 1
        }
        return level <= -90 ? "silent" : "\(level) dB"
    }

    /// "1 frame", "2 frames".
    static func count(_ number: Int64, _ noun: String) -> String {
        "\(number) \(noun)" + (number == 1 ? "" : "s")
    }

    private static func tenths(_ value: Int64) -> String { "\(value / 10).\(value % 10)" }

    private static func twoDigits(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
}
