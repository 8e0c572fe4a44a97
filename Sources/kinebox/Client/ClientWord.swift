/// The commands that go to a running kineboxd: the words of its socket API.
enum ClientWord: String, CaseIterable {
    case start, stop, pause, resume, split, mark, extend, describe, status, watch, snapshot, clips, media, eject
    case identify

    /// The options and operands that it takes beside those that all have.
    var declared: [Options.Declaration] {
        let own: [String] =
            switch self {
            case .start: ["--title", "--author", "--comment", "--duration", "--medium"]
            case .describe: ["--title", "--author", "--comment"]
            case .clips: ["--medium", "--limit"]
            default: []
            }
        return own.map { Options.Declaration(name: $0, takesValue: true) }
            + [
                Options.Declaration(name: "--host", takesValue: true),
                Options.Declaration(name: "--socket", takesValue: true),
                Options.Declaration(name: "--json", takesValue: false),
                Options.Declaration(name: "--help", takesValue: false),
            ]
    }

    /// What its one operand is; nil for a command that takes none.
    var operand: String? {
        switch self {
        case .start: "NAME"
        case .mark: "TITLE"
        case .extend: "TIME"
        case .eject: "MEDIUM"
        default: nil
        }
    }

    /// Whether the operand has to be there.
    var needsOperand: Bool { self == .extend }

    /// What `--help` prints.
    var help: String {
        let operand = operand.map { needsOperand ? " \($0)" : " [\($0)]" } ?? ""
        return """
            usage: kinebox \(rawValue)\(operand) [OPTION]...

            \(purpose)
            \(options)
              --host [USER@]HOST    the recorder on another machine, through ssh
              --socket PATH         the recorder's socket, where it is not the usual one
              --json                what the recorder answers, for programs

            Exit codes: 0 done, 1 failed, 2 wrong usage, 3 nothing to record from, 4 no room or no medium.
            """
    }

    private var purpose: String {
        switch self {
        case .start:
            """
            Starts a recording and says where it goes, as soon as its first second is safe. A name gets ".mp4"; without one
            the file is named after date, time and a counter.
            """
        case .stop: "Ends the recording and says what became of it, as soon as the file is whole."
        case .pause: "Lets the recording rest: nothing is added to the file, which stays open and safe."
        case .resume: "Goes on with a recording that rests."
        case .split: "Goes on in a new file, without losing a picture."
        case .mark: "Begins a chapter now."
        case .extend:
            "Lets a recording that stops by itself go on for so much longer: seconds, or a time such as 10min."
        case .describe:
            """
            Says what the next recording is of. It goes into the file, in place of what was said before; without an option
            what was said before is forgotten.
            """
        case .status: "Says how the recorder stands."
        case .watch: "Follows the recorder until Ctrl-C: how it stands, and what happens."
        case .snapshot: "Saves the newest picture as JPEG and says where."
        case .clips: "Lists the recordings on the media, the newest first."
        case .media: "Lists the media that are attached, the preferred one first."
        case .eject: "Takes a medium off and says when it can be pulled: the one named, else the chosen one."
        case .identify: "Lets the lights of the box show for ten seconds which one it is: long, short, short."
        }
    }

    private var options: String {
        switch self {
        case .start:
            """

              --title TEXT          what the recording is of
              --author TEXT         who speaks or plays
              --comment TEXT        anything else that is to stand in the file
              --duration TIME       stop by itself; seconds, or a time such as 90min
              --medium NAME         the medium, where it is not to be the preferred one
            """
        case .describe:
            """

              --title TEXT          what the recording is of
              --author TEXT         who speaks or plays
              --comment TEXT        anything else that is to stand in the file
            """
        case .clips:
            """

              --medium NAME         those on one medium
              --limit N             at most so many
            """
        default: ""
        }
    }
}
