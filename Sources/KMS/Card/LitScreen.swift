import CDRM
import Glibc
import Linux
import Media

/// A screen that shows something: an open card, and the CRTC that drives the screen.
final class LitScreen {
    let card: ScreenCard
    let connector: ScreenConnector
    let crtc: UInt32
    let mode: ScreenMode
    private let timing: drm_mode_modeinfo
    private let activePlace: Int?
    private let planes: [CardPlane]
    private let allHaveDepths: Bool
    /// What the last look at the planes found: place among `planes`, framebuffer.
    private var shown: [(place: Int, framebuffer: UInt32)] = []
    /// What of that is to be seen nowhere: beside the screen, or as clear as glass.
    private var unseen: [ScreenPlane] = []
    private var values = PropertyValues()

    /// Looks for the screen at a card.
    /// - Parameter name: the connector's; nil for the first one that shows something.
    /// - Returns: nil when no such screen of the card shows anything.
    /// - Throws: `Errno`: EACCES where this user may not open the card.
    init?(at path: String, connector name: String?) throws(Errno) {
        let card = try ScreenCard(opening: path)
        let resources = try card.resources()
        var values = PropertyValues()
        var found: (connector: ScreenConnector, crtc: UInt32, timing: drm_mode_modeinfo)?
        for id in resources.connectors where found == nil {
            guard let connector = try? card.connector(id), connector.isConnected, name == nil || connector.name == name,
                let crtc = try? card.crtc(ofEncoder: connector.encoder), crtc != 0,
                let timing = try? card.timing(of: crtc),
                card.isActive(crtc, &values, at: try card.activePlace(of: crtc, &values))
            else { continue }
            found = (connector, crtc, timing)
        }
        guard let found, let index = resources.crtcs.firstIndex(of: found.crtc) else { return nil }
        var planes: [CardPlane] = []
        var names = PropertyNames()
        for id in try card.planes() {
            let plane = try CardPlane(id, of: card, &values, &names)
            if plane.possibleCRTCs >> UInt32(index) & 1 != 0 { planes.append(plane) }
        }
        let hasBlanks = card.hasBlanks(found.crtc)
        connector = found.connector
        crtc = found.crtc
        timing = found.timing
        mode = ScreenMode(
            connector: found.connector.name, width: Int(found.timing.hdisplay), height: Int(found.timing.vdisplay),
            refresh: Self.refresh(of: found.timing), hasBlanks: hasBlanks)
        activePlace = try card.activePlace(of: found.crtc, &values)
        self.planes = planes
        allHaveDepths = planes.allSatisfy { $0.zpos != nil }
        self.values = values
        self.card = card
        shown.reserveCapacity(planes.count)
        unseen.reserveCapacity(planes.count)
        look()
        if shown.isEmpty { return nil }
    }

    /// Whether the last look found any plane. Where a program ends and leaves the CRTC on, there is none.
    var showsAnything: Bool { !shown.isEmpty }

    /// Whether the CRTC still shows the same mode.
    var isUnchanged: Bool {
        guard let now = try? card.timing(of: crtc) else { return false }
        return now.clock == timing.clock && now.hdisplay == timing.hdisplay && now.vdisplay == timing.vdisplay
            && now.htotal == timing.htotal && now.vtotal == timing.vtotal && now.flags == timing.flags
    }

    /// Whether the display is still there and the CRTC still sends to it, in the way that was found: a card that was changing
    /// mode then may have told of no blanks. Takes the card's locks: once a second is enough.
    func isStillLit() -> Bool {
        guard let now = try? card.connector(connector.id), now.isConnected, isUnchanged,
            (try? card.crtc(ofEncoder: now.encoder)) == crtc
        else { return false }
        return card.isActive(crtc, &values, at: activePlace) && (mode.hasBlanks || !card.hasBlanks(crtc))
    }

    /// Whether the display is there and its mode and framebuffers are kept, and it is switched off all the same, as a console
    /// does that nobody writes at. Takes the card's locks.
    func isAsleep() -> Bool {
        guard let now = try? card.connector(connector.id), now.isConnected, isUnchanged,
            !card.isActive(crtc, &values, at: activePlace)
        else { return false }
        look()
        return showsAnything
    }

    /// Whether other framebuffers are shown than `read` found; cursors do not count, since they change at any time.
    var hasFlipped: Bool {
        shown.contains { planes[$0.place].kind != .cursor && framebuffer(of: $0.place) != $0.framebuffer }
    }

    /// Whether all planes are as they were read, with their framebuffers and their places.
    func holds(_ picture: ScreenPicture) -> Bool {
        for place in planes.indices {
            let known = shown.first { $0.place == place }?.framebuffer ?? 0
            guard framebuffer(of: place) == known else { return false }
            guard known != 0, planes[place].isPlaced,
                let plane = picture.plane(planes[place].id) ?? unseen.first(where: { $0.id == planes[place].id })
            else { continue }
            guard (try? values.read(card, object: plane.id, kind: UInt32(DRM_MODE_OBJECT_PLANE))) != nil else {
                return false
            }
            var now = plane
            planes[place].describe(&now, values)
            guard now == plane else { return false }
        }
        return true
    }

    /// Reads all planes that show something.
    /// - Parameter picture: is cleared, then filled with them and their memory.
    /// - Returns: a moment at which these framebuffers had been put up, and whether all of them were there until the end:
    ///   where not, planes of two pictures may be mixed, or some be missing.
    /// - Throws: `Failure` of kind noSource when what is shown may not be read.
    func read(into picture: ScreenPicture) throws(Failure) -> (moment: MonotonicTime, isWhole: Bool) {
        var moment = MonotonicTime(nanoseconds: 0)
        var isWhole = false
        do throws(ReadingFault) {
            // What is shown may change between two requests: then all is read once more.
            for _ in 0..<4 {
                picture.clear()
                look()
                moment = .now
                isWhole = try readShown(into: picture) && !hasFlipped
                if isWhole { break }
            }
        } catch {
            picture.clear()
            throw failure(error)
        }
        picture.finish(mode)
        return (moment, isWhole)
    }

    /// Notes which planes of the CRTC have which framebuffers.
    private func look() {
        shown.removeAll(keepingCapacity: true)
        for place in planes.indices {
            let number = framebuffer(of: place)
            if number != 0 { shown.append((place, number)) }
        }
    }

    /// The number of the framebuffer that a plane shows on this screen; 0 for none.
    private func framebuffer(of place: Int) -> UInt32 {
        var request = drm_mode_get_plane()
        request.plane_id = planes[place].id
        guard (try? card.request(CDRM_MODE_GETPLANE, &request)) != nil, request.crtc_id == crtc else { return 0 }
        return request.fb_id
    }

    /// Reads what the last look found: false when some of it has gone meanwhile.
    private func readShown(into picture: ScreenPicture) throws(ReadingFault) -> Bool {
        unseen.removeAll(keepingCapacity: true)
        for (place, number) in shown {
            let description = planes[place]
            var plane = ScreenPlane()
            plane.id = description.id
            plane.kind = description.kind
            plane.framebuffer = number
            let outcome: ScreenCard.Outcome
            do throws(Errno) {
                try values.read(card, object: plane.id, kind: UInt32(DRM_MODE_OBJECT_PLANE))
                describe(&plane, description)
                if description.isPlaced && !isSeen(plane) {
                    unseen.append(plane)
                    continue
                }
                outcome = try card.readFramebuffer(of: &plane, into: picture)
            } catch {
                throw ReadingFault.refused(error)
            }
            switch outcome {
            case .gone: return false
            case .denied: throw ReadingFault.denied
            case .crowded: throw ReadingFault.crowded
            case .read: break
            }
            if !description.isPlaced {
                // Without a place only the primary plane's can be known: it covers the screen.
                guard plane.kind == .primary else { continue }
                cover(&plane)
            }
            // Another cursor may have another size, and its place been read of the one before.
            guard plane.kind != .cursor || framebuffer(of: place) == number else { return false }
            guard picture.planes.count < ScreenView.mostPlanes else { throw ReadingFault.crowded }
            picture.put(plane)
        }
        return true
    }

    private func describe(_ plane: inout ScreenPlane, _ description: CardPlane) {
        description.describe(&plane, values)
        if allHaveDepths {
            // Those of the same depth lie in the order of their numbers (`drm_atomic_state_zpos_cmp`).
            plane.depth = Int(UInt32(truncatingIfNeeded: values.value(description.zpos, or: 0))) << 32 | Int(plane.id)
        } else {
            let storey =
                switch plane.kind {
                case .primary: 0
                case .overlay: 1
                case .cursor: 2
                }
            plane.depth = storey << 32 | Int(plane.id)
        }
    }

    /// Whether any of a plane is on the screen.
    private func isSeen(_ plane: ScreenPlane) -> Bool {
        plane.alpha > 0 && plane.targetWidth > 0 && plane.targetHeight > 0 && plane.x < mode.width
            && plane.y < mode.height
            && plane.x + plane.targetWidth > 0 && plane.y + plane.targetHeight > 0
    }

    /// Lets a plane cover the screen, from the corner on at which an old driver shows its framebuffer.
    private func cover(_ plane: inout ScreenPlane) {
        let corner = (try? card.corner(of: crtc)) ?? (x: 0, y: 0)
        plane.sourceX = corner.x << 16
        plane.sourceY = corner.y << 16
        plane.sourceWidth = UInt32(mode.width) << 16
        plane.sourceHeight = UInt32(mode.height) << 16
        (plane.targetWidth, plane.targetHeight) = (mode.width, mode.height)
    }

    /// Vertical blanks a second, as the kernel counts them (`drm_calc_timestamping_constants`): of an interlaced mode there
    /// is one for each field. 60 for what no display has.
    static func refresh(of timing: drm_mode_modeinfo) -> FrameRate {
        let fields: Int64 = timing.flags & UInt32(DRM_MODE_FLAG_INTERLACE) != 0 ? 2 : 1
        let pixels = Int64(timing.htotal) * Int64(timing.vtotal)
        let told = FrameRate(Int64(timing.clock) * 1000 * fields, pixels)
        return told.flatMap { $0.numerator >= $0.denominator ? $0 : nil } ?? FrameRate(60) ?? .thirty
    }

    /// Why planes could not be read.
    private enum ReadingFault: Error {
        case denied
        case crowded
        case refused(Errno)
    }

    private func failure(_ fault: ReadingFault) -> Failure {
        let thing = "cannot read the screen at \(connector.name)"
        switch fault {
        case .denied: return CardReader.denial(connector.name)
        case .crowded:
            return Failure(
                .noSource, thing,
                because:
                    "it has more than \(ScreenView.mostPlanes) planes, or more than \(ScreenView.mostBuffers) buffers")
        case .refused(let reason):
            return Failure(.noSource, thing, because: "\(card.path) answers: \(reason)")
        }
    }
}
