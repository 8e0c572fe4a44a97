/// What a bench measured: a table for a person, then figures for programs; with `--json` the same as one object.
struct Report {
    private struct Figure {
        var name: String
        var value: String
        var unit: String
    }

    private let title: String
    private let columns: [String]
    private var rows: [[String]] = []
    private var notes: [String] = []
    private var figures: [Figure] = []

    /// - Parameters:
    ///   - title: what was measured, a line.
    ///   - columns: the heads of the table's columns; the first column names the rows.
    init(_ title: String, columns: [String]) {
        self.title = title
        self.columns = columns
    }

    /// Adds a row of as many cells as there are columns.
    mutating func row(_ cells: [String]) {
        rows.append(cells)
    }

    /// Adds a line under the table, such as a command that was run.
    mutating func note(_ text: String) {
        notes.append(text)
    }

    /// Adds a whole number that programs read.
    mutating func figure(_ name: String, _ value: Int64, _ unit: String) {
        figures.append(Figure(name: name, value: "\(value)", unit: unit))
    }

    /// Adds a number that programs read, rounded to thousandths.
    mutating func figure(_ name: String, _ value: Double, _ unit: String) {
        figures.append(Figure(name: name, value: decimal(value, places: 3), unit: unit))
    }

    /// The whole report as text.
    func text(json: Bool) -> String { json ? object : table }

    private var table: String {
        let all = [columns] + rows
        let widths = columns.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        func line(_ cells: [String]) -> String {
            let padded = cells.indices.map { index in
                let space = String(repeating: " ", count: widths[index] - cells[index].count)
                return index == 0 ? cells[index] + space : space + cells[index]
            }
            return padded.joined(separator: "  ")
        }
        var lines = [
            title, "", line(columns), widths.map { String(repeating: "-", count: $0) }.joined(separator: "  "),
        ]
        lines += rows.map(line) + [""]
        lines += notes.isEmpty ? [] : notes + [""]
        lines += figures.map { "figure \($0.name) \($0.value) \($0.unit)" }
        return lines.joined(separator: "\n")
    }

    private var object: String {
        func list(_ cells: [String]) -> String { "[" + cells.map(quoted).joined(separator: ", ") + "]" }
        let numbers = figures.map { figure in
            "{\"name\": \(quoted(figure.name)), \"value\": \(figure.value), \"unit\": \(quoted(figure.unit))}"
        }
        return """
            {"title": \(quoted(title)), "columns": \(list(columns)), "rows": [\(rows.map(list).joined(separator: ", "))],
             "notes": \(list(notes)), "figures": [\(numbers.joined(separator: ", "))]}
            """
    }

    private func quoted(_ text: String) -> String {
        let escaped = text.map { character in
            switch character {
            case "\"": "\\\""
            case "\\": "\\\\"
            case "\n": "\\n"
            default: String(character)
            }
        }
        return "\"" + escaped.joined() + "\""
    }
}

/// A number with a fixed count of places behind the point, rounded.
func decimal(_ value: Double, places: Int) -> String {
    let factor = (0..<places).reduce(1) { product, _ in product * 10 }
    let scaled = Int64((value * Double(factor)).rounded())
    let (whole, rest) = scaled.magnitude.quotientAndRemainder(dividingBy: UInt64(factor))
    let digits = "\(rest)"
    let fraction = places == 0 ? "" : "." + String(repeating: "0", count: places - digits.count) + digits
    return (scaled < 0 ? "-" : "") + "\(whole)" + fraction
}

/// The value in the middle of a list, the lower one of two; nil for an empty list.
func median<Value: Comparable>(_ values: [Value]) -> Value? {
    values.isEmpty ? nil : values.sorted()[(values.count - 1) / 2]
}
