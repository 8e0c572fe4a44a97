import CKernel
import Glibc
import KMS
import Linux
import Media
import Testing
import ToldScreen

/// A screen that is told, served to recorders as kinebox-kms serves the real one: at its usual path, by its own protocol.
final class ServedScreen {
    private let end: EventDescriptor
    private var thread = pthread_t()
    private let work: Work

    /// What goes to the serving thread; nobody else uses it from then on.
    private final class Work: @unchecked Sendable {
        let server: ScreenServer
        let end: EventDescriptor

        init(_ server: ScreenServer, _ end: EventDescriptor) { (self.server, self.end) = (server, end) }
    }

    /// The user whose recorders may look: one without any privilege.
    static let user: uid_t = 65534

    /// - Parameters:
    ///   - layers: what it shows, always; the lowest first.
    ///   - width: of its mode.
    ///   - height: of its mode.
    init(_ layers: [ToldLayer], width: Int, height: Int) throws {
        let mode = ScreenMode(
            connector: "HDMI-A-1", width: width, height: height, refresh: try #require(FrameRate(60)), hasBlanks: true)
        var picture = ToldScreen.Picture(.lit(mode))
        for (place, layer) in layers.enumerated() {
            var plane = layer.plane
            (plane.id, plane.depth) = (UInt32(place + 1), place)
            for piece in plane.pieces.indices { plane.pieces[piece].buffer = place }
            picture.planes.append(plane)
            picture.buffers.append(layer.memory.shared)
        }
        let shown = picture
        end = try EventDescriptor()
        mkdir("/run/kinebox", 0o755)
        let server = try ScreenServer(allowing: Self.user) { _ throws(Failure) in
            do {
                return try ToldScreen(isPaced: true) { _ in shown }
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

    deinit {
        end.signal()
        pthread_join(thread, nil)
    }
}
