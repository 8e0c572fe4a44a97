import Media

/// Numbers on the command line: whole, in ranges, with the words that help.
extension RecordArguments {
    static func size(_ text: String) throws(Failure) -> Size {
        let pieces = text.split(separator: "x", omittingEmptySubsequences: false)
        let mend = "Use WIDTHxHEIGHT with even numbers from 16 on, such as 1280x720."
        guard pieces.count == 2, let width = digits(pieces[0]), let height = digits(pieces[1]) else {
            throw invalid("--size", text, "it is not WIDTHxHEIGHT", mend)
        }
        guard width > 0, height > 0 else { throw invalid("--size", text, "a picture cannot be empty", mend) }
        guard width % 2 == 0, height % 2 == 0 else {
            throw invalid("--size", text, "pictures with shared colour samples (4:2:0) have no odd size", mend)
        }
        // The largest picture of H.264 (Table A-1, level 6.2) has 139 264 macroblocks of 16 × 16.
        let fits = width <= 16_384 && height <= 16_384 && ((width + 15) / 16) * ((height + 15) / 16) <= 139_264
        guard width >= 16, height >= 16, fits else {
            throw invalid("--size", text, "H.264 has no picture of that size", mend)
        }
        return Size(width: width, height: height)
    }

    static func rate(_ text: String) throws(Failure) -> FrameRate {
        let mend = "Use pictures a second such as 30, 25 or 30000/1001."
        let usual = ["23.976": 24_000, "23.98": 24_000, "29.97": 30_000, "59.94": 60_000, "119.88": 120_000]
        if let numerator = usual[text], let rate = FrameRate(Int64(numerator), 1001) { return rate }
        let pieces = text.split(separator: "/", omittingEmptySubsequences: false)
        guard pieces.count <= 2, let numerator = digits(pieces[0]),
            let denominator = pieces.count == 2 ? digits(pieces[1]) : 1
        else { throw invalid("--rate", text, "it is not a number or a ratio", mend) }
        guard numerator > 0, denominator > 0 else {
            throw invalid("--rate", text, "there is no such rate", mend)
        }
        guard let rate = FrameRate(Int64(numerator), Int64(denominator)), rate.perSecond <= 240, rate.perSecond >= 0.1
        else {
            throw invalid("--rate", text, "rates go from one picture in ten seconds to 240 a second", mend)
        }
        return rate
    }

    /// A whole number in a range, as `WholeNumber` reads it.
    static func whole(_ text: String, _ option: String, _ unit: String, _ range: ClosedRange<Int>) throws(Failure)
        -> Int
    {
        guard let value = WholeNumber.value(text), range.contains(value) else {
            throw invalid(
                option, text, "it is not a whole number of \(unit) from \(range.lowerBound) to \(range.upperBound)",
                "Leave it out for the usual value.")
        }
        return value
    }

    /// A length of time, as `TimeSpan` reads it, in nanoseconds.
    static func seconds(_ text: String, _ option: String, least: Int64) throws(Failure) -> Int64 {
        guard let value = TimeSpan.nanoseconds(text), value >= least else {
            throw invalid(
                option, text, "it is not a length of time greater than 0",
                "Use seconds such as 10 or 0.5, or a time such as 90min.")
        }
        return value
    }

    static func splitSize(_ text: String) throws(Failure) -> Int64 {
        if text == "0" { return 0 }
        return Int64(try whole(text, "--split-size", "bytes", 100_000...1_000_000_000_000_000))
    }

    static func splitDuration(_ text: String) throws(Failure) -> Int64 {
        if text == "0" { return 0 }
        return try seconds(text, "--split-duration", least: 100_000_000)
    }

    private static func digits(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
        return Int(text)
    }

    private static func invalid(_ option: String, _ value: String, _ cause: String, _ mend: String) -> Failure {
        Failure(.invalidValue, "cannot use \(option) \(value.isEmpty ? "\"\"" : value)", because: cause, mend: mend)
    }
}
