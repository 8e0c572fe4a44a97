/// The names by which a medium may be known, the best first.
enum MediumName {
    static func candidates(for device: BlockDevice) -> [String] {
        let label = clean(device.content?.label ?? "")
        let uuid = clean(device.content?.uuid ?? "")
        let both = label.isEmpty || uuid.isEmpty ? "" : label + "-" + uuid
        return [label, uuid, both, device.name].filter { !$0.isEmpty }
    }

    /// What is a name for every program: letters, digits, and three signs, none of them in front.
    private static func clean(_ text: String) -> String {
        let name = text.unicodeScalars.map { scalar -> Character in
            let isPlain = scalar.properties.isAlphabetic || scalar.properties.numericType != nil
            return isPlain || scalar == "-" || scalar == "." || scalar == "_" ? Character(scalar) : "_"
        }
        // The longest that a file system has of its own is the 36 of a UUID.
        return String(name.drop { $0 == "-" || $0 == "." || $0 == "_" }.prefix(36))
    }
}
