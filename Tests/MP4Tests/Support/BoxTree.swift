/// The boxes of a file, read without any of the code that writes or recovers them.
struct BoxTree {
    let bytes: [UInt8]

    struct Box {
        var type: String
        var start: Int
        var payload: Int
        var end: Int
    }

    func number(_ place: Int, _ count: Int = 4) -> Int {
        bytes[place..<(place + count)].reduce(0) { $0 << 8 | Int($1) }
    }

    func boxes(from start: Int = 0, to end: Int? = nil) -> [Box] {
        var boxes: [Box] = []
        var place = start
        while place < end ?? bytes.count {
            let isLong = number(place) == 1
            let size = isLong ? number(place + 8, 8) : number(place)
            let type = String(decoding: bytes[(place + 4)..<(place + 8)], as: UTF8.self)
            boxes.append(Box(type: type, start: place, payload: place + (isLong ? 16 : 8), end: place + size))
            place += size
        }
        return boxes
    }

    func box(_ path: String...) -> Box? {
        var found: Box?
        for type in path {
            found = boxes(from: found?.payload ?? 0, to: found?.end).last { $0.type == type }
            if found == nil { return nil }
        }
        return found
    }
}
