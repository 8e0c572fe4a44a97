extension ConfigurationKey {
    static let holdTime = ConfigurationKey(
        "HoldTime", in: .panel, .time(\.panel.hold, 100_000_000...30_000_000_000),
        "How long the record button is held to stop, where PressWhileRecording=mark.")
    static let ejectHoldTime = ConfigurationKey(
        "EjectHoldTime", in: .panel, .time(\.panel.ejectHold, 200_000_000...60_000_000_000),
        "How long the record or the stop button is held to eject the medium while nothing is recorded.")

    static let panel = [
        ConfigurationKey(
            "RecordButton", in: .panel, .button(\.panel.record),
            """
            The contact of the record button. key:NAME is a key of input devices, such as one that the device tree makes of \
            a GPIO, or of a foot switch: of each device that has the key but whole keyboards, or of those whose name or \
            place fits what stands behind @, with * and ? as in a shell. line:NAME is a GPIO line by its own name, or by \
            the label of its chip and its place on it, line:pinctrl-bcm2711:17. Behind a line may stand active-low for a \
            contact to ground, and pull-up, pull-down or disabled for what holds the line while the contact is open. Each \
            further line is one more contact that does the same.
            """),
        ConfigurationKey(
            "StopButton", in: .panel, .button(\.panel.stop),
            "The contact of a second button, which stops. It is written as RecordButton= is."),
        ConfigurationKey(
            "MarkButton", in: .panel, .button(\.panel.mark),
            "The contact of a button that marks a chapter. It is written as RecordButton= is."),
        ConfigurationKey(
            "Exclusive", in: .panel, .yesNo(\.panel.isExclusive),
            """
            Whether the devices of buttons that are keys are taken for Kinebox alone, so that no console and no desktop \
            acts on the keys as well.
            """),
        ConfigurationKey(
            "Debounce", in: .panel, .timeOrUsual(\.panel.debounce, 0...1_000_000_000),
            """
            How long a contact has to rest before its change counts. Where nothing stands, 10ms for lines, and for keys \
            what their driver does.
            """),
        holdTime,
        ejectHoldTime,
        ConfigurationKey(
            "RestTime", in: .panel, .time(\.panel.rest, 0...5_000_000_000),
            "The time after letting go in which a press is taken for a trembling hand, and means nothing."),
        ConfigurationKey(
            "RecordLight", in: .panel, .recordLight(\.panel.recordLight),
            """
            The light that tells of the recording. led:NAME is a light of the kernel, by its name in /sys/class/leds; \
            line:NAME is a GPIO line as with RecordButton=, with active-low for a light that glows while the line is low. \
            Three of them in one place, red, green and blue, are written as rgb:led:NAME,led:NAME,led:NAME.
            """),
        ConfigurationKey(
            "MediumLight", in: .panel, .mediumLight(\.panel.mediumLight),
            "The light that tells of the medium. It is written as RecordLight= is, and has one colour."),
        ConfigurationKey(
            "Brightness", in: .panel, .percent(\.panel.brightness),
            "How bright lights are that can be dimmed."),
    ]
}
