extension ConfigurationKey {
    static let pressWhileRecording = ConfigurationKey(
        "PressWhileRecording", in: .behaviour, .press(\.policy.recordButton),
        """
        What the record button does while something is recorded: stop; mark, where a press marks a chapter and a hold \
        stops; or nothing. Where nothing stands, stop, or nothing if there is a StopButton=.
        """)

    static let behaviour = [
        pressWhileRecording,
        ConfigurationKey(
            "WaitForMedium", in: .behaviour, .yesNo(\.policy.pendsForMedium),
            """
            Whether a start without a medium waits until one is plugged in, and begins then. Otherwise it is refused, and \
            the light blinks once and pauses.
            """),
        ConfigurationKey(
            "WaitForSignal", in: .behaviour, .yesNo(\.policy.pendsForSignal),
            """
            Whether a start without a signal waits until one comes, and begins then. Otherwise it is refused, and the light \
            blinks four times and pauses.
            """),
        ConfigurationKey(
            "StartWithoutSignal", in: .behaviour, .yesNo(\.policy.startsWithoutSignal),
            """
            Whether a recording begins even without a signal, with a picture that says so, and goes on with the signal when \
            it comes. It needs SignalLoss=slate and KeepWarm=yes, and a source that had a signal since it was opened: of \
            one that was dark from the beginning no size is known, and it is refused or waited for as if this were no. \
            Counts before WaitForSignal=.
            """),
        ConfigurationKey(
            "GoOnAfterLostMedium", in: .behaviour, .yesNo(\.policy.goesOnAfterLostMedium),
            """
            Whether a recording whose medium was pulled or has failed goes on, in a new file, on the next medium that is \
            ready.
            """),
        ConfigurationKey(
            "ResumeAfterPowerCut", in: .behaviour, .yesNo(\.policy.goesOnAfterPowerCut),
            """
            Whether a recording that a power cut ended goes on, in a new file, when the power is back and its medium and \
            the signal are there. What was recorded before is kept in any case.
            """),
        ConfigurationKey(
            "ArmingLimit", in: .behaviour, .time(\.policy.armingLimit, 1_000_000_000...300_000_000_000),
            """
            The time within which the first piece of a recording has to be safe on the medium. After it the start has \
            failed.
            """),
        ConfigurationKey(
            "FinalisingLimit", in: .behaviour, .time(\.policy.finalisingLimit, 2_000_000_000...600_000_000_000),
            """
            The time within which a file has to be finished after a stop. After it the recording counts as unfinished; it \
            plays all the same, and is finished when its medium is mounted next.
            """),
        ConfigurationKey(
            "RefusalShownFor", in: .behaviour, .time(\.policy.refusalTime, 1_000_000_000...3_600_000_000_000),
            "How long the light tells why a start was refused or a recording has failed."),
        ConfigurationKey(
            "SlipTime", in: .behaviour, .time(\.policy.slipTime, 0...5_000_000_000),
            """
            The time after the press that starts a recording in which another press is taken for a slip of the hand, and \
            does not stop it.
            """),
    ]
}
