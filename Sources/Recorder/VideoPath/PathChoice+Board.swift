import Capture
import Encoding
import Media
import V4L2

extension PathChoice {
    /// The choice among the devices of the machine that the program runs on. They are opened for a moment, and nothing that
    /// others do with them is disturbed.
    /// - Parameters:
    ///   - preference: with `software` no device is looked at.
    ///   - codes: the codes of which the source is to give one; nil for any.
    public init(onThisBoard preference: EncoderPreference, codes: [UInt32]? = nil) {
        let encoders = preference == .software ? [] : HardwareEncoder.list()
        self.init(
            encoders: encoders.map(Encoder.init), converters: encoders.isEmpty ? [] : Self.boardConverters,
            preference: preference, codes: codes)
    }

    private static var boardConverters: [Converter] {
        ConverterDescription.list().map { found in
            let trial = V4L2Trial(found.path, through: .kernel)
            return Converter(
                path: found.path, card: found.card, inputs: found.inputs, outputs: found.outputs,
                tryingInput: { found.tryingInput($0, trial) }, tryingOutput: { found.tryingOutput($0, trial) })
        }
    }
}

extension PathChoice.Encoder {
    /// An encoder of this machine.
    public init(_ found: EncoderDescription) {
        let trial = V4L2Trial(found.path, through: .library)
        self.init(
            path: found.path, card: found.card, inputs: found.inputs, trying: { HardwareEncoder.trying(trial, $0) })
    }
}

extension PathChoice.Source {
    /// A capture device that is open.
    /// - Throws: `Failure` of kind noSource or noSignal.
    public init(_ device: any DeviceVideoSource) throws(Failure) {
        self.init(
            offers: try device.offers(), isReadableByDevices: device.isReadableByDevices,
            trying: { device.trying($0) }, preparation: { device.preparation($0) })
    }

    /// A capture device that is only looked at.
    /// - Throws: `Failure` of kind noSource or noSignal.
    public init(_ probe: CaptureProbe) throws(Failure) {
        self.init(
            offers: try probe.offers(), isReadableByDevices: probe.isReadableByDevices,
            trying: { probe.trying($0) })
    }
}
