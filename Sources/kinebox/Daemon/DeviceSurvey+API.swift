import Capture
import Control
import Encoding
import Media

/// What can be recorded from and encoded with, in the words of the socket.
extension DeviceSurvey {
    var devices: [RecorderAPI.Device] {
        video.map { RecorderAPI.Device($0.device, .picture) } + screens.map { RecorderAPI.Device($0.screen) }
            + audio.map { RecorderAPI.Device($0, .sound) }
            + encoders.map { encoder in
                RecorderAPI.Device(
                    kind: .encoder, name: encoder.card, argument: encoder.path, state: .ready,
                    formats: [encoder.words])
            }
    }
}

extension RecorderAPI.Device {
    init(_ screen: SurveyedScreen) {
        let state: State =
            switch screen.state {
            case .ready: .ready
            case .off: .off
            case .unplugged: .unplugged
            case .denied: .denied
            }
        self.init(
            kind: .picture, name: "screen \(screen.connector)", argument: screen.argument, state: state,
            location: screen.card, mend: screen.mend, formats: screen.modeWords.map { [$0] } ?? [])
    }

    init(_ device: CaptureDevice, _ kind: Kind) {
        let (state, mend): (State, String?) =
            switch device.state {
            case .ready: (.ready, nil)
            case .busy: (.busy, device.refusal.mend)
            case .denied(let mend): (.denied, mend)
            case .noSignal: (.noSignal, device.refusal.mend)
            }
        self.init(
            kind: kind, name: device.card, argument: device.argument, state: state,
            location: device.location.isEmpty ? nil : device.location, mend: mend,
            formats: device.formats)
    }
}
