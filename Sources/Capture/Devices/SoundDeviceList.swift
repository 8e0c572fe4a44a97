import Glibc
import Linux
import Media

extension DeviceList {
    /// All sound devices that can be captured from, as the kernel names them: also those that this user may not open.
    public static func audio() -> [CaptureDevice] {
        let names = cardNames(SystemDirectory.text("/proc/asound/cards") ?? "")
        var devices: [CaptureDevice] = []
        for node in SystemDirectory.entries("/dev/snd").compactMap(captureNode).sorted(by: { $0 < $1 }) {
            let folder = "/proc/asound/card\(node.card)"
            let identifier = SystemDirectory.line("\(folder)/id") ?? "\(node.card)"
            let information = fields(SystemDirectory.text("\(folder)/pcm\(node.device)c/info") ?? "")
            let argument = "hw:CARD=\(identifier),DEV=\(node.device)"
            let path = "/dev/snd/pcmC\(node.card)D\(node.device)c"
            let state: CaptureDevice.State
            if access(path, R_OK | W_OK) != 0 {
                state = .denied(mend: ALSAFailure.using(argument, "open", -EACCES).mend)
            } else {
                state = information["subdevices_avail"] == "0" ? .busy : .ready
            }
            devices.append(
                CaptureDevice(
                    card: names[node.card] ?? identifier, location: information["name"] ?? "", argument: argument,
                    state: state, formats: []))
        }
        return devices
    }

    /// The first sound device that can be captured from at once, as `--audio auto` takes it; nil when there is none.
    public static func firstReadyAudio() -> CaptureDevice? {
        audio().first { $0.state == .ready }
    }

    /// A card's and a device's number out of a node's name, such as "pcmC1D0c"; nil for nodes that do not capture.
    static func captureNode(_ name: String) -> (card: Int, device: Int)? {
        guard name.hasPrefix("pcmC"), name.hasSuffix("c") else { return nil }
        let numbers = name.dropFirst(4).dropLast().split(separator: "D").map { Int($0) }
        guard numbers.count == 2, let card = numbers[0], let device = numbers[1] else { return nil }
        return (card, device)
    }

    /// The cards' long names by their numbers, out of /proc/asound/cards: lines such as
    /// " 1 [Device         ]: USB-Audio - USB Audio Device", each with a second line behind it.
    static func cardNames(_ text: String) -> [Int: String] {
        var names: [Int: String] = [:]
        for line in text.split(separator: "\n") {
            guard let bracket = line.firstIndex(of: "["), let end = line.firstIndex(of: "]") else { continue }
            let head = line[..<bracket].filter { $0 != " " }
            let tail = line[end...].dropFirst()
            guard let number = Int(head), tail.first == ":", let dash = tail.firstIndex(of: "-") else { continue }
            // The driver's name stands before " - ", and may have a dash of its own.
            var name = tail[tail.index(after: dash)...]
            while name.first != " ", let next = name.firstIndex(of: "-") { name = name[name.index(after: next)...] }
            names[number] = String(name.drop { $0 == " " })
        }
        return names
    }

    /// Lines of the form "name: value".
    static func fields(_ text: String) -> [String: String] {
        var fields: [String: String] = [:]
        for line in text.split(separator: "\n") {
            guard let colon = line.firstIndex(of: ":") else { continue }
            fields[String(line[..<colon])] = String(line[line.index(after: colon)...].drop { $0 == " " })
        }
        return fields
    }
}
