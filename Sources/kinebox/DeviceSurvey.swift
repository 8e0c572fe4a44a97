import Capture
import Encoding
import KMS
import Media
import Pixels
import Recorder
import V4L2

/// All that can be recorded from and encoded with, and the way that each recording would take. Nothing is disturbed by
/// looking.
struct DeviceSurvey {
    /// A picture's source and the way of its pictures.
    struct Entry {
        var device: CaptureDevice
        /// Nil where nothing can be said: the device is denied, or gives nothing.
        var way: Way?
    }

    /// The way of a recording that would begin now.
    enum Way {
        case path(VideoPath)
        /// There is none; why.
        case none(Failure)
    }

    /// A screen and the way of its pictures.
    struct ScreenEntry {
        var screen: SurveyedScreen
        /// Nil where it shows nothing, or nothing that may be read.
        var way: Way?
    }

    let video: [Entry]
    let screens: [ScreenEntry]
    let audio: [CaptureDevice]
    let encoders: [EncoderDescription]
    let converters: [ConverterDescription]

    /// - Parameters:
    ///   - encoder: as recordings are asked for it.
    ///   - codes: the codes of which a device is to give one; nil for any.
    ///   - screenTurn: how the picture of a screen is turned; nil so that it is upright.
    init(encoder: EncoderPreference, codes: [UInt32]?, screenTurn: Turn?) {
        encoders = HardwareEncoder.list()
        converters = ConverterDescription.list()
        audio = DeviceList.audio()
        let choice = PathChoice(onThisBoard: encoder, codes: codes)
        let layout = codes?.first.flatMap { V4L2Layout.of($0)?.pixelFormat }
        video = DeviceList.video().map { Entry(device: $0, way: Self.way(of: $0, choice, layout)) }
        let screenChoice = PathChoice(onThisBoard: encoder, codes: nil)
        screens = ScreenList.all().map { description in
            let screen = SurveyedScreen(description)
            return ScreenEntry(screen: screen, way: Self.way(of: screen, screenChoice, screenTurn))
        }
    }

    private static func way(of screen: SurveyedScreen, _ choice: PathChoice, _ turn: Turn?) -> Way? {
        guard case .ready = screen.state else { return nil }
        let connector = screen.connector
        do throws(Failure) {
            let source = try Screen(
                reading: connector, reader: { () throws(Failure) in try ScreenAccess.reader(of: connector) }, turn: turn
            )
            return try choice.paths(for: try PathChoice.Source(source)).first.map(Way.path)
        } catch {
            return Way.none(error)
        }
    }

    private static func way(of device: CaptureDevice, _ choice: PathChoice, _ layout: PixelFormat?) -> Way? {
        guard device.signal?.isLocked ?? false else { return nil }
        do throws(Failure) {
            let source = try PathChoice.Source(try CaptureProbe(opening: device.path, layout: layout))
            return try choice.paths(for: source).first.map(Way.path)
        } catch {
            return Way.none(error)
        }
    }
}

extension DeviceSurvey.Way {
    /// "zero copy: the encoder takes NV12 1280x720 as it comes, 1280 bytes a line (bcm2835-codec-encode, /dev/video11)".
    var words: String {
        switch self {
        case .path(let path):
            if case .hardware(let hardware) = path.encoder {
                return "\(path.reason) (\(hardware.card), \(hardware.path))"
            }
            return path.reason
        case .none(let failure): return "nothing: \(failure)"
        }
    }
}
