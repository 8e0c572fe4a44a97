import Media

/// What `--help` prints.
enum Help {
    static let version = Release.version
    /// When the manual pages were last looked through.
    static let date = "2026-11-30"

    static let overview = """
        kinebox: records picture and sound into MP4 files that survive a power cut at any moment

        usage: kinebox record [OPTION]... FILE.mp4 | FOLDER   record until stopped (Ctrl-C), or for a time
               kinebox devices [--json]                       what can be recorded from, and whether you may
               kinebox check FILE... [--json]                 strict check of recordings
               kinebox recover FILE | FOLDER...               finish what a power cut left
               kinebox config [FILE] [--check]                what is configured, and where it stands
               kinebox --version

        To a running kineboxd, here or with --host [USER@]HOST on another machine:
               kinebox start [NAME] | stop | pause | resume     record
               kinebox split | mark [TITLE] | snapshot          a new file, a chapter, a still
               kinebox extend TIME                              let it end later
               kinebox describe --title TEXT                    say what the next recording is of
               kinebox status | watch | clips | media           look
               kinebox eject [MEDIUM]                           take a medium off
               kinebox identify                                 let the lights show which box it is
               kinebox bridge                                   what ssh runs for --host

        kinebox COMMAND --help tells more about a command.
        Exit codes: 0 done, 1 failed, 2 wrong usage, 3 nothing to record from, 4 no room or no medium.
        """

    static let daemon = """
        usage: kineboxd [--config FILE] [--check-config]

        The recorder as a service: a button, a light and a socket start and stop recordings on the media that are plugged
        in. systemd starts it; the kinebox commands speak with it.

          --config FILE            configuration file; default /etc/kinebox/kinebox.conf where there is one
          --check-config           say whether the configuration can be used, and end
          --version

        SIGTERM ends it once the recording is finished; SIGHUP lets it read the configuration again, which never disturbs
        a recording.
        """

    static let record = """
        usage: kinebox record [OPTION]... FILE.mp4 | FOLDER

        Records until Ctrl-C (or SIGTERM), which ends the recording with the picture that was captured last. The file
        can be played at any moment, also after a power cut. A folder gets a file named after date, time and a counter;
        a file that exists is never overwritten.

          --video SOURCE           auto (default): the first device that is ready, else a test picture
                                   test: a test picture; -: YUV4MPEG2 from standard input
                                   screen: what the board's own screen shows, the one that is lit; screen:CONNECTOR:
                                   a certain one, such as screen:HDMI-A-1
                                   DEVICE: a device of "kinebox devices", by its path or its name
          --audio SOURCE           auto (default): a device for a device, a tone for the test picture, nothing for -
                                   none, tone, or an ALSA device of "kinebox devices"; give it again for further tracks
          --encoder KIND           auto (default): the board's H.264 encoder where it takes the pictures, else software;
                                   hardware: no recording begins without the board's; software. Should the board's
                                   fail while it records, software goes on
          --pixel-format NAME      layout in which the device gives its pictures, such as NV12 or UYVY; default the one
                                   that makes least work on the way into the encoder
          --edid NAME|FILE         what an HDMI input tells its source that it takes: 1080p60, 1080p50, 1080p30, 720p60,
                                   1080p60-420 or a file; default what it has
          --signal-loss POLICY     slate (default): go on with a picture that says so; hold: go on with the last picture;
                                   split: go on in a new file when the signal is back; stop: end the recording
          --screen-turn DEGREES    turn a screen's picture counter-clockwise: 0, 90, 180 or 270; auto (default): as who looks
                                   at the display sees it, also where that is mounted on its side
          --size WIDTHxHEIGHT      picture size, even numbers; default what the source gives, 1280x720 for the test picture
          --rate N[/D]             pictures a second; default what the source gives, 30 for the test picture
          --bitrate BITS           bits a second of the picture, such as 6M; default by size and rate
          --audio-bitrate BITS     bits a second of each sound track, such as 128k; default 80k for each channel
          --preset NAME            effort of the software encoder, ultrafast to slower; auto (default) finds out what
                                   this machine can do in real time
          --threads N              threads of the software encoder; 0 (default) for as many as help
          --duration TIME          stop by itself; seconds, or a time such as 90min
          --split-size BYTES       go on in a new file before one has this size; default 4G, 0 for never
          --split-duration TIME    go on in a new file after this time; default 30min, 0 for never
          --name-prefix TEXT       what names in a folder begin with, in front of date and time
          --config FILE            configuration file; default /etc/kinebox/kinebox.conf where there is one

        Each of these may stand in [Recording] of the configuration file, see kinebox.conf(5) or kinebox config; what
        stands on the command line counts before it.

        Exit codes: 0 done, 1 failed, 2 wrong usage, 3 nothing to record from, 4 no room or no medium.
        """

    static let devices = """
        usage: kinebox devices [--json] [--config FILE]

        Lists what can be recorded from and encoded with, and says of each whether you may use it now:
        ready, busy (another program has it), denied (and what helps); of an input without a picture: no cable,
        no signal, no lock (the cable is bad), out of range (the picture is too large or too fast); of a screen of the
        board that shows nothing: off, unplugged.
        For each input it says what comes in, and which way its pictures would go into which encoder, and why:
        zero copy is the best one. Nothing is disturbed by looking, a recording that runs neither.
        """

    static let check = """
        usage: kinebox check FILE... [--json]

        Checks each file strictly and says what is in it. Exit code 0 only if a careful player could find no fault.
        Nothing is changed.
        """

    static let panel = """
        usage: kinebox panel abandon [--config FILE]

        What systemd runs when the recorder has died: the lights tell of it. After an end that was wanted it does nothing.
        """

    static let medium = """
        usage: kinebox medium prepare | eject | forget DEVICE

        What the units of systemd do with a stick or a card that is plugged in or pulled; needs the rights of root.
        prepare checks and mounts it, eject takes it off, forget lets go of one that was pulled.
        """

    static let recover = """
        usage: kinebox recover FILE | FOLDER...

        Makes ordinary MP4s of the recordings that a power cut or a kill left, and says what was kept and lost. In a
        folder, every .mp4 file is looked at. A recording that is running is not touched, nor is any other file.
        """

    static let config = """
        usage: kinebox config [FILE] [--check | --sample | --manual]

        Prints what the configuration says, each value with the file and line where it stands, and the usual values as
        remarks. What is wrong in it is said instead. Without FILE it is /etc/kinebox/kinebox.conf, where there is one.

          --check               print nothing; exit code 0 if all is right, 2 if not
          --sample              print a file with all keys, explained, to begin with
          --manual              print kinebox.conf(5), for man
        """
}
