/// What must and may be in a box that holds boxes (ISO/IEC 14496-12, table 1).
struct ContainerRule {
    /// Bytes of the box's own fields, before the boxes.
    var fields: Int64 = 0
    /// Each of these must be there; where two or more names are given, one of them.
    var required: [[BoxType]] = []
    /// Each of these may be there once.
    var single: Set<BoxType> = []
    /// The box that must come first.
    var first: BoxType?

    /// The rules for boxes that are looked into, by their name.
    static let all: [BoxType: ContainerRule] = [
        "moov": ContainerRule(required: [["mvhd"], ["trak"]], single: ["mvhd", "mvex", "udta", "meta", "iods"]),
        "trak": ContainerRule(
            required: [["tkhd"], ["mdia"]], single: ["tkhd", "mdia", "edts", "tref", "udta", "meta"]),
        "edts": ContainerRule(required: [["elst"]], single: ["elst"]),
        "mdia": ContainerRule(
            required: [["mdhd"], ["hdlr"], ["minf"]], single: ["mdhd", "hdlr", "minf", "elng"]),
        "minf": ContainerRule(
            required: [["dinf"], ["stbl"]],
            single: ["dinf", "stbl", "vmhd", "smhd", "hmhd", "nmhd", "sthd", "gmhd"]),
        "dinf": ContainerRule(required: [["dref"]], single: ["dref"]),
        "dref": ContainerRule(fields: 8),
        "stbl": ContainerRule(
            required: [["stsd"], ["stts"], ["stsc"], ["stsz", "stz2"], ["stco", "co64"]],
            single: [
                "stsd", "stts", "ctts", "cslg", "stsc", "stsz", "stz2", "stco", "co64", "stss", "stsh", "padb", "stdp",
                "sdtp",
            ]),
        "mvex": ContainerRule(required: [["trex"]], single: ["mehd", "leva"]),
        "moof": ContainerRule(required: [["mfhd"]], single: ["mfhd"], first: "mfhd"),
        "traf": ContainerRule(required: [["tfhd"]], single: ["tfhd", "tfdt"], first: "tfhd"),
        "mfra": ContainerRule(required: [["mfro"]], single: ["mfro"]),
        "udta": ContainerRule(),
        "ilst": ContainerRule(),
        "tref": ContainerRule(),
    ]

    /// Boxes that stand at the top of a file and nowhere else.
    static let topOnly: Set<BoxType> = ["ftyp", "moov", "moof", "mdat", "mfra", "styp", "sidx"]

    /// All boxes that may stand at the top of a file.
    static let top: Set<BoxType> = [
        "ftyp", "moov", "moof", "mdat", "mfra", "styp", "sidx", "ssix", "free", "skip", "wide", "uuid", "meta", "meco",
        "pdin", "prft", "emsg", "pnot", "udta", "imda",
    ]
}
