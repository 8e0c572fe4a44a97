extension ConfigurationKey {
    static let video = ConfigurationKey(
        "Video", in: .recording, .option("--video", usual: "auto"),
        """
        Where the picture comes from: auto for the first device that is ready, or a test picture where there is no device; \
        test for a test picture; screen for what the board's own screen shows, the one that is lit, or screen:HDMI-A-1 for \
        a certain one; or a device, by its path or its name as kinebox devices shows them. auto never takes a screen: what is \
        on it may be for nobody's eyes.
        """)

    static let recording = [
        video,
        ConfigurationKey(
            "Audio", in: .recording, .option("--audio", usual: "auto", isList: true),
            """
            Where the sound comes from: auto for a sound card with a device and a tone with the test picture; none; tone; or \
            an ALSA device as kinebox devices shows it. Each further line is one more track, four at most.
            """),
        ConfigurationKey(
            "Encoder", in: .recording, .option("--encoder", usual: "auto"),
            """
            Who encodes the picture: auto for the board's encoder where it takes the pictures and software elsewhere; \
            hardware for the board's or nothing; software.
            """),
        ConfigurationKey(
            "PixelFormat", in: .recording, .option("--pixel-format", usual: ""),
            """
            The layout in which a device gives its pictures, such as NV12 or UYVY. Where nothing stands, the one that makes \
            least work on the way into the encoder.
            """),
        ConfigurationKey(
            "EDID", in: .recording, .option("--edid", usual: ""),
            """
            What an HDMI input tells its source that it takes: 1080p60, 1080p50, 1080p30, 720p60, 1080p60-420, or a file. \
            Where nothing stands, what the input has is left alone.
            """),
        ConfigurationKey(
            "SignalLoss", in: .recording, .option("--signal-loss", usual: "slate"),
            """
            What happens while the signal is lost: slate goes on with a picture that says so; hold goes on with the last \
            picture; split goes on in a new file when the signal is back; stop ends the recording. A screen that is switched \
            off or unplugged is such a signal.
            """),
        ConfigurationKey(
            "ScreenTurn", in: .recording, .option("--screen-turn", usual: "auto"),
            """
            How a screen's picture is turned, counter-clockwise: 0, 90, 180 or 270 degrees. auto turns it as who looks at the \
            display sees it, also where that is mounted on its side.
            """),
        ConfigurationKey(
            "Size", in: .recording, .option("--size", usual: ""),
            """
            The size of the picture, WIDTHxHEIGHT with even numbers. Where nothing stands, what the source gives, and \
            1280x720 for the test picture.
            """),
        ConfigurationKey(
            "Rate", in: .recording, .option("--rate", usual: ""),
            """
            Pictures a second, such as 30, 25 or 30000/1001. Where nothing stands, what the source gives, and 30 for the \
            test picture.
            """),
        ConfigurationKey(
            "Bitrate", in: .recording, .option("--bitrate", usual: ""),
            "Bits a second of the picture, such as 6M. Where nothing stands, by size and rate."),
        ConfigurationKey(
            "AudioBitrate", in: .recording, .option("--audio-bitrate", usual: ""),
            "Bits a second of each sound track, such as 128k. Where nothing stands, 80k for each channel."),
        ConfigurationKey(
            "Preset", in: .recording, .option("--preset", usual: "auto"),
            """
            The effort of the software encoder, from ultrafast to slower. auto finds out what this machine can do in \
            real time.
            """),
        ConfigurationKey(
            "Threads", in: .recording, .option("--threads", usual: "0"),
            "Threads of the software encoder; 0 for as many as help."),
        ConfigurationKey(
            "Duration", in: .recording, .option("--duration", usual: ""),
            "The time after which a recording stops by itself, such as 90min. Where nothing stands, it does not."),
        ConfigurationKey(
            "SplitSize", in: .recording, .option("--split-size", usual: "4G"),
            """
            The size in bytes before which a recording goes on in a new file; 0 for never. Behind a number, k, M and G mean \
            thousands, millions and thousand millions, and Ki, Mi and Gi powers of 1024: so 4G fits on a FAT file system, \
            and 4Gi does not.
            """),
        ConfigurationKey(
            "SplitDuration", in: .recording, .option("--split-duration", usual: "30min"),
            "The time after which a recording goes on in a new file; 0 for never."),
        ConfigurationKey(
            "NamePrefix", in: .recording, .option("--name-prefix", usual: ""),
            """
            What stands in front of date and time in the names of files that are given none: letters without accents, \
            digits, - and _, 40 at most. Two boxes that record the same lecture are told apart by it.
            """),
        ConfigurationKey(
            "KeepWarm", in: .recording, .yesNo(\.isWarm),
            """
            Whether the sources stay open between recordings, so that a press has its first picture within a tenth of a \
            second and levels can be seen before. no saves power, and leaves the devices to other programs; a recording \
            then begins as soon as they are open. With WaitForSignal=yes they stay open in any case.
            """),
    ]
}
