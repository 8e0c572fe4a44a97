import V4L2

/// Lists of layouts as a person reads them.
enum PathWords {
    /// "NV12, YU12": each code once, in their order.
    static func list(_ codes: [UInt32]) -> String {
        var names: [String] = []
        for code in codes {
            let name = V4L2Layout.name(code)
            if !names.contains(name) { names.append(name) }
        }
        return names.joined(separator: ", ")
    }
}
