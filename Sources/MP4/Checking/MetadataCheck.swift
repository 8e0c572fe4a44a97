import Media

/// Checks the texts about the recording: items of a list, each with a value (`udta/meta/ilst`).
struct MetadataCheck {
    let window: FileWindow
    let log: FaultLog

    /// - Parameter movie: the movie box.
    func check(_ movie: BoxHeader) {
        guard let udta = movie.firstChildren(["udta"], window)["udta"],
            let meta = udta.firstChildren(["meta"], window)["meta"]
        else { return }
        // QuickTime's box of this name has no version in front.
        let isPlain = (try? window.number32(at: meta.payload + 4)) == BoxType("hdlr").code
        guard let list = meta.firstChildren(["ilst"], window, skipping: isPlain ? 0 : 4)["ilst"] else { return }
        var items = BoxSequence(window, inside: list)
        while let item = try? items.next() {
            guard let data = item.firstChildren(["data"], window)["data"] else {
                log.report(.metadata, "\(item.name) in \(list.name) has no value")
                continue
            }
            guard data.payloadSize >= 8, let kind = try? window.number32(at: data.payload) else {
                log.report(.metadata, "\(data.name) in \(item.name) has \(data.payloadSize) bytes where 8 are needed")
                continue
            }
            // What is longer than the window is no text that a person wrote.
            guard kind == 1, data.payloadSize <= 32 << 10, let bytes = try? data.content(window) else { continue }
            if String(validating: bytes.dropFirst(8), as: UTF8.self) == nil {
                log.report(.metadata, "\(data.name) in \(item.name) is said to be UTF-8 and is not")
            }
        }
    }
}
