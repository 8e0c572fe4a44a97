/// The configuration file with all its keys, each with its words and its usual value, which is commented out.
enum ConfigurationSample {
    private static let preface = """
        The configuration of Kinebox, /etc/kinebox/kinebox.conf: what kineboxd and kinebox record go by. Each key stands here \
        with its usual value; take away the # in front of it to change it. Keys may as well stand in files of their own, with \
        .conf at the end of their names, in the folder /etc/kinebox/kinebox.conf.d: they come after this one, in the order of \
        their names. An empty value takes back what stood before.
        """
    private static let further = """
        "kinebox config --check" looks whether all is right, "systemctl reload kinebox" takes it over, and never disturbs a \
        recording. kinebox.conf(5) is the manual.
        """

    /// The file's content.
    static let text: String = {
        let usual = DaemonConfiguration()
        var lines = remark(preface) + ["#"] + remark(further)
        for section in ConfigurationSection.allCases {
            lines += ["", "[\(section.rawValue)]"] + remark(section.words)
            for key in ConfigurationKey.all where key.section == section {
                let values = key.form.texts(of: usual)
                lines += [""] + remark(key.sentences)
                lines += (values.isEmpty ? [""] : values).map { "#\(key.name)=\($0)" }
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }()

    private static func remark(_ text: String) -> [String] { Paragraph.lines(text, width: 100, prefix: "# ") }
}

extension ConfigurationKey {
    /// What it does, and what may stand there.
    var sentences: String { form.words.isEmpty ? words : "\(words) Takes \(form.words)." }
}
