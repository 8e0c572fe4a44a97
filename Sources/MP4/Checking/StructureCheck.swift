import Media

/// Checks that boxes nest and fill exactly, that those that must be there are, and that nothing else is.
struct StructureCheck {
    private static let mostDepth = 12
    private let window: FileWindow
    private let log: FaultLog
    /// How many movie boxes stand at the top of the file.
    private(set) var movieCount = 0
    /// True when a movie fragment stands at the top of the file.
    private(set) var hasFragments = false

    init(_ window: FileWindow, _ log: FaultLog) {
        self.window = window
        self.log = log
    }

    /// Checks the boxes at the top of the file, and what is inside.
    /// - Parameter limit: where the last box must end.
    mutating func checkFile(to limit: Int64) {
        var boxes = BoxSequence(window, from: 0, to: limit, isTop: true)
        var hasBrand = false
        do {
            while let box = try boxes.next() {
                switch box.type {
                case "ftyp":
                    if hasBrand { log.report(.boxDuplicate, "\(box.name) is the second one in the file") }
                    if box.offset != 0 { log.report(.boxOrder, "\(box.name) is not at the start of the file") }
                    hasBrand = true
                    checkBrands(box)
                case "moov":
                    movieCount += 1
                    if movieCount > 1 { log.report(.boxDuplicate, "\(box.name) is a second movie box") }
                case "moof":
                    hasFragments = true
                    if movieCount == 0 { log.report(.boxOrder, "\(box.name) comes before the movie box") }
                case "mfra", "mdat", "uuid": break
                default:
                    if !ContainerRule.top.contains(box.type) {
                        log.report(.boxUnknown, "\(box.name) has a name that no box at the top of a file has")
                    }
                }
                check(box, depth: 0)
            }
        } catch {
            log.report(error, in: nil)
        }
        if !hasBrand { log.report(.brand, "the file has no 'ftyp' box that says what it is") }
        if movieCount == 0 { log.report(.boxMissing, "the file has no 'moov' box") }
    }

    /// Checks the boxes inside the sample descriptions of a track.
    func checkDescriptions(_ track: TrackLayout) {
        guard let entry = track.entry else { return }
        guard let fields = SampleDescriptionParser.fieldSize(entry.box, handler: track.handler, window) else { return }
        walk(entry.box, ContainerRule(fields: fields, single: ["avcC", "esds", "pasp", "btrt"]), depth: 0)
    }

    private func checkBrands(_ box: BoxHeader) {
        guard box.payloadSize >= 8, box.payloadSize % 4 == 0 else {
            log.report(.brand, "\(box.name) has \(box.payloadSize) bytes, which are no list of brands")
            return
        }
        guard let bytes = try? box.content(window, limit: 256) else { return }
        var reader = ByteReader(bytes)
        while let code = reader.take32() {
            // The second number is a version, which may be anything.
            if reader.offset != 8, !BoxType(code).isPlausible {
                log.report(.brand, "\(box.name) names a brand \(BoxType(code)) that nobody gives")
            }
        }
    }

    private func check(_ box: BoxHeader, depth: Int) {
        if box.type == "meta" {
            // QuickTime's box of this name has no version in front.
            let isPlain = (try? window.number32(at: box.payload + 4)) == BoxType("hdlr").code
            walk(box, ContainerRule(fields: isPlain ? 0 : 4, required: [["hdlr"]], single: ["hdlr"]), depth: depth)
        } else if let rule = ContainerRule.all[box.type] {
            walk(box, rule, depth: depth)
        }
    }

    private func walk(_ parent: BoxHeader, _ rule: ContainerRule, depth: Int) {
        guard depth < Self.mostDepth else {
            log.report(.boxDepth, "\(parent.name) is nested in \(depth) boxes")
            return
        }
        guard parent.payloadSize >= rule.fields else {
            log.report(.boxContent, "\(parent.name) has \(parent.payloadSize) bytes where \(rule.fields) are needed")
            return
        }
        var found: Set<BoxType> = []
        var count: Int64 = 0
        var boxes = BoxSequence(window, inside: parent, skipping: rule.fields)
        do {
            while let box = try boxes.next() {
                count += 1
                if count == 1, let first = rule.first, box.type != first {
                    log.report(.boxOrder, "\(box.name) comes first in \(parent.name), where '\(first)' belongs")
                }
                if rule.single.contains(box.type), !found.insert(box.type).inserted {
                    log.report(.boxDuplicate, "\(box.name) is the second one in \(parent.name)")
                }
                for group in rule.required where group.contains(box.type) { found.formUnion(group) }
                if ContainerRule.topOnly.contains(box.type) {
                    log.report(.boxOrder, "\(box.name) is inside \(parent.name) and belongs at the top of the file")
                } else if !box.type.isPlausible, parent.type != "ilst" {
                    log.report(.boxUnknown, "\(box.name) in \(parent.name) has a name that nobody gives")
                } else {
                    check(box, depth: depth + 1)
                }
            }
        } catch {
            if !isTerminator(boxes, in: parent) { log.report(error, in: parent) }
        }
        for group in rule.required where !group.contains(where: found.contains) {
            log.report(
                .boxMissing,
                "\(parent.name) has no " + group.map { "'\($0)'" }.joined(separator: " or ") + " box")
        }
        if parent.type == "dref", let declared = try? window.number32(at: parent.payload + 4), Int64(declared) != count
        {
            log.report(.tableCount, "\(parent.name) says it has \(declared) entries, but has \(count)")
        }
    }

    /// QuickTime lets a box of user data, or a sample description, end with four zero bytes.
    private func isTerminator(_ boxes: BoxSequence, in parent: BoxHeader) -> Bool {
        guard parent.type == "udta" || ContainerRule.all[parent.type] == nil, boxes.limit - boxes.offset == 4 else {
            return false
        }
        return (try? window.number32(at: boxes.offset)) == 0
    }
}
