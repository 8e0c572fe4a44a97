/// One entry of the journal: what a person reads, and what a program may search for.
public struct JournalEntry: Sendable, Hashable {
    /// How grave it is (`syslog(3)`).
    public enum Priority: Int, Sendable, CaseIterable {
        /// Only a person can mend it, and recording is impossible meanwhile.
        case critical = 2
        /// Something that was asked for did not happen.
        case failure = 3
        case warning = 4
        /// Normal, and worth knowing afterwards.
        case notice = 5
        case information = 6
    }

    /// A field of its own, beside the text.
    public struct Field: Sendable, Hashable {
        /// Capital letters, digits and underscores, a letter first: "KINEBOX_PATH".
        public var name: String
        /// At most 16 KiB of it are written.
        public var value: String

        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// A sentence for people.
    public var text: String
    public var priority: Priority
    /// What kind of event it is: 32 hexadecimal digits, under which a catalog explains it (MESSAGE_ID); nil where the text
    /// is all there is to say.
    public var identifier: String?
    public var fields: [Field]

    public init(_ text: String, _ priority: Priority = .information, identifier: String? = nil, fields: [Field] = []) {
        self.text = text
        self.priority = priority
        self.identifier = identifier
        self.fields = fields
    }

    /// The entry as the journal takes it (systemd's "Native Journal Protocol").
    /// - Parameter program: the name under which it is found (`journalctl -t`).
    func serialised(for program: String) -> [UInt8] {
        var bytes: [UInt8] = []
        var all = [
            Field("MESSAGE", text), Field("PRIORITY", "\(priority.rawValue)"), Field("SYSLOG_IDENTIFIER", program),
        ]
        if let identifier { all.append(Field("MESSAGE_ID", identifier)) }
        for field in all + fields { Self.append(field, to: &bytes) }
        return bytes
    }

    /// So much of a field fits, with all others, into one datagram.
    private static let most = 16 << 10

    private static func append(_ field: Field, to bytes: inout [UInt8]) {
        let value = field.value.utf8.prefix(most)
        bytes += field.name.utf8
        if value.contains(0x0A) {
            // A value of several lines has its length before it: 64 bits, the lowest byte first.
            bytes.append(0x0A)
            for shift in stride(from: 0, to: 64, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: value.count >> shift))
            }
        } else {
            bytes.append(0x3D)
        }
        bytes += value
        bytes.append(0x0A)
    }
}
