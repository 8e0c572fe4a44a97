/// kinebox.conf(5), as troff has it: made of the table of keys.
enum ConfigurationManual {
    /// The page's content.
    static let text: String = {
        let usual = DaemonConfiguration()
        var lines = head
        for section in ConfigurationSection.allCases {
            lines +=
                [".SH [\(section.rawValue.uppercased())]"]
                + plain("In the section [\(section.rawValue)]. \(section.words)")
            for key in ConfigurationKey.all where key.section == section {
                let values = key.form.texts(of: usual)
                let value = values.isEmpty ? "nothing" : values.joined(separator: " and ")
                lines += [".TP", ".B \(escaped(key.name))="] + plain(key.sentences)
                lines += [".br"] + plain("Usual: \(value). Changes: \(key.change.words).")
            }
        }
        return (lines + foot).joined(separator: "\n") + "\n"
    }()

    private static let head =
        [
            ".\\\" Made by \"kinebox config --manual\" of the table of keys; a test holds it to that.",
            ".TH KINEBOX.CONF 5 \"\(Help.date)\" \"Kinebox \(Help.version)\" \"Kinebox\"", ".SH NAME",
            "kinebox.conf \\- what Kinebox records, and how it is set up",
            ".SH SYNOPSIS", ".I /etc/kinebox/kinebox.conf", ".br", ".I /etc/kinebox/kinebox.conf.d/*.conf",
            ".SH DESCRIPTION",
        ]
        + plain(
            """
            The files have the form of systemd's own: sections in brackets, one Key=Value a line, remarks behind # or ; at \
            the beginning of a line; a backslash at a line's end goes on in the next one. kineboxd(8) reads them when it \
            starts and when it is told to reload, kinebox(1) record and kinebox devices when they are called; --config names \
            another file. The files of the folder come after the first, in the order of their names, and what stands last \
            counts. Where a key may stand more than once, each further line is one more. An empty value takes back what \
            stood before, so that the usual value counts again. Sections and keys that begin with X- are left alone.
            """)
        + [".PP"]
        + plain(
            """
            A time is a number of seconds, or numbers with units: ms, s, min, h, d, as in 500ms, 90min or 1h 30min. Behind a \
            number of bytes or bits, k, M, G and T mean thousands, millions and so on, and Ki, Mi, Gi and Ti powers of 1024. \
            yes, true, on and 1 are the same, and so are no, false, off and 0.
            """)
        + [".PP"]
        + plain(
            """
            A section, key or value that cannot be is refused with file, line and name, and with the nearest right one. A \
            daemon that is told to reload such a file says so in the journal and goes on with what it has. kinebox config \
            prints what counts and where it stands, kinebox config --check only whether all is right.
            """)

    private static let foot = [
        ".SH FILES", ".TP", ".I /etc/kinebox/kinebox.conf", "The file.", ".TP", ".I /etc/kinebox/kinebox.conf.d",
        "Files that come after it.", ".SH SEE ALSO", ".BR kinebox (1),", ".BR kineboxd (8),",
        ".BR systemd.syntax (7)",
    ]

    /// Text in lines that troff takes as they are.
    private static func plain(_ text: String) -> [String] {
        Paragraph.lines(text, width: 74).map { line in
            let line = escaped(line)
            return line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
        }
    }

    private static func escaped(_ text: String) -> String {
        String(text.flatMap { $0 == "-" ? "\\-" : $0 == "\\" ? "\\e" : $0 == "^" ? "\\(ha" : String($0) })
    }
}
