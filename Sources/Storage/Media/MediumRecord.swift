import Linux

/// How far the preparation of a medium has come, as the program that does it tells all others: a small file in /run.
public struct MediumRecord: Hashable, Sendable {
    /// The steps.
    public enum State: String, Hashable, Sendable, CaseIterable {
        case checking, mounting, mounted, failed, ejecting, ejected
    }

    /// The device's name: "sda1".
    public var device: String
    /// Which of all disks that were ever plugged in since the board was turned on it is on (`BlockDevice.sequence`).
    public var sequence: UInt64
    /// The device's number.
    public var number: UInt64
    /// What the medium is called, and its folder.
    public var name: String
    public var content: FileSystemContent
    /// Bytes of the device.
    public var byteCount: Int64
    /// Whether nothing may be written to it.
    public var isProtected: Bool
    public var state: State
    /// Where it is mounted; empty as long as it is not.
    public var folder = ""
    /// Why it cannot be used, or could not be ejected; empty for nothing.
    public var cause = ""
    /// What helps.
    public var mend = ""
    /// When the record was written.
    public var time = MonotonicTime(nanoseconds: 0)

    /// What is known of a device when its preparation begins.
    init(_ device: BlockDevice, name: String, content: FileSystemContent) {
        self.device = device.name
        sequence = device.sequence
        number = device.number
        self.name = name
        self.content = content
        byteCount = device.byteCount
        isProtected = device.isReadOnly
        state = .checking
    }

    /// The text of the file: a line for each field.
    var text: String {
        let fields = [
            ("sequence", "\(sequence)"), ("number", "\(number)"), ("name", name), ("uuid", content.uuid),
            ("label", content.label), ("type", content.type), ("bytes", "\(byteCount)"),
            ("protected", isProtected ? "1" : "0"), ("state", state.rawValue), ("folder", folder), ("cause", cause),
            ("mend", mend), ("time", "\(time.nanoseconds)"),
        ]
        return fields.map { "\($0)=\($1.line)\n" }.joined()
    }

    /// - Returns: nil for a text that is none.
    init?(device: String, text: String) {
        var fields: [Substring: String] = [:]
        for line in text.split(separator: "\n") {
            guard let sign = line.firstIndex(of: "=") else { continue }
            fields[line[..<sign]] = String(line[line.index(after: sign)...])
        }
        guard let state = fields["state"].flatMap(State.init), let name = fields["name"], !name.isEmpty,
            let number = fields["number"].flatMap({ UInt64($0) }), let type = fields["type"]
        else { return nil }
        self.device = device
        self.state = state
        self.name = name
        self.number = number
        sequence = fields["sequence"].flatMap { UInt64($0) } ?? 0
        content = FileSystemContent(type: type, uuid: fields["uuid"] ?? "", label: fields["label"] ?? "")
        byteCount = fields["bytes"].flatMap { Int64($0) } ?? 0
        isProtected = fields["protected"] == "1"
        folder = fields["folder"] ?? ""
        cause = fields["cause"] ?? ""
        mend = fields["mend"] ?? ""
        time = MonotonicTime(nanoseconds: fields["time"].flatMap { Int64($0) } ?? 0)
    }
}

extension String {
    /// Without line ends.
    fileprivate var line: String { split(whereSeparator: \.isNewline).joined(separator: " ") }
}
