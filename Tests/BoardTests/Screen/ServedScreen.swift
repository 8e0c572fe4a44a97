import CKernel
import Glibc
import KMS
import Linux
import Media
import Synchronization
import Testing
import ToldScreen

/// A screen that is told, served to recorders as kinebox-kms serves the real one: at its usual path, by its own protocol.
final class ServedScreen {
    private let end: EventDescriptor
    private var thread = pthread_t()
    private let work: Work

    /// Which of the pictures is shown.
    private let shown: Shown

    /// What goes to the serving thread; nobody else uses it from then on.
    private final class Work: @unchecked Sendable {
        let server: ScreenServer
        let end: EventDescriptor

        init(_ server: ScreenServer, _ end: EventDescriptor) { (self.server, self.end) = (server, end) }
    }

    private final class Shown: Sendable {
        let number = Atomic<Int>(0)
    }

    /// The user whose recorders may look: one without any privilege.
    static let user: uid_t = 65534

    /// - Parameters:
    ///   - layers: what it shows, always; the lowest first.
    ///   - width: of its mode.
    ///   - height: of its mode.
    convenience init(_ layers: [ToldLayer], width: Int, height: Int) throws {
        try self.init(oneOf: [layers], width: width, height: height)
    }

    /// - Parameters:
    ///   - scenes: what it shows: at first the first one, then what `show` says.
    ///   - width: of its mode.
    ///   - height: of its mode.
    init(oneOf scenes: [[ToldLayer]], width: Int, height: Int) throws {
        let mode = ScreenMode(
            connector: "HDMI-A-1", width: width, height: height, refresh: try #require(FrameRate(60)), hasBlanks: true)
        let pictures = scenes.enumerated().map { number, layers in
            Self.picture(layers, mode, signature: UInt64(number + 1))
        }
        let shown = Shown()
        self.shown = shown
        end = try EventDescriptor()
        mkdir("/run/kinebox", 0o755)
        let server = try ScreenServer(allowing: Self.user) { _ throws(Failure) in
            do {
                return try ToldScreen(isPaced: true) { _ in pictures[shown.number.load(ordering: .relaxed)] }
            } catch {
                throw Failure(.internalFault, "cannot tell of a screen", because: "\(error)")
            }
        }
        try server.listen(on: UnixListener(at: ScreenClient.usualPath, mode: 0o666, kind: .packets))
        work = Work(server, end)
        pthread_create(
            &thread, nil,
            { pointer in
                guard let pointer else { return nil }
                let work = Unmanaged<Work>.fromOpaque(pointer).takeUnretainedValue()
                try? work.server.serve(until: work.end.raw)
                return nil
            }, Unmanaged.passUnretained(work).toOpaque())
    }

    /// Shows another scene from the next blank on.
    func show(_ number: Int) {
        shown.number.store(number, ordering: .relaxed)
    }

    private static func picture(_ layers: [ToldLayer], _ mode: ScreenMode, signature: UInt64) -> ToldScreen.Picture {
        var picture = ToldScreen.Picture(.lit(mode), signature: signature)
        for (place, layer) in layers.enumerated() {
            var plane = layer.plane
            (plane.id, plane.depth) = (UInt32(place + 1), place)
            for piece in plane.pieces.indices { plane.pieces[piece].buffer = place }
            picture.planes.append(plane)
            picture.buffers.append(layer.memory.shared)
        }
        return picture
    }

    deinit {
        end.signal()
        pthread_join(thread, nil)
    }
}
