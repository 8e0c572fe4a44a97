import Glibc
import Linux
import Media

/// An MP4 file that is open for reading. It is used by one thread at a time.
final class MovieFile {
    /// Where it is.
    let path: String
    let descriptor: FileDescriptor
    /// Its size when it was opened; what grows behind is not looked at.
    let byteCount: Int64
    /// A window for boxes.
    let window: FileWindow

    /// - Throws: `Failure` of kind notARecording, notAuthorised or mediumFailed.
    init(path: String) throws(Failure) {
        self.path = path
        let status: stat
        do {
            // Without O_NONBLOCK a FIFO would hold the program until somebody writes to it.
            descriptor = try FileDescriptor.open(path, O_RDONLY | O_NONBLOCK)
            status = try descriptor.status()
        } catch {
            throw Self.failure(path, error)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw Failure(.notARecording, "cannot read \(path)", because: "it is no regular file")
        }
        byteCount = Int64(status.st_size)
        window = FileWindow(descriptor.raw)
    }

    /// The first movie box at the top of the file; nil where there is none before the first place that is no box.
    /// - Throws: `Failure` of kind notARecording where the file does not begin like an MP4, or mediumFailed.
    func movieBox() throws(Failure) -> BoxHeader? {
        var boxes = BoxSequence(window, from: 0, to: byteCount, isTop: true)
        var isFirst = true
        while true {
            let box: BoxHeader?
            do {
                box = try boxes.next()
            } catch {
                if isFirst, !Self.beginsLikeABox(error) { throw notAnMP4() }
                if case .unreadable(_, let reason?) = error { throw Self.failure(path, reason) }
                return nil
            }
            guard let box else {
                if isFirst { throw notAnMP4() }
                return nil
            }
            if isFirst, !Self.firstTypes.contains(box.type) { throw notAnMP4() }
            isFirst = false
            if box.type == "moov" { return box }
        }
    }

    /// The failure of a box that cannot be read.
    func failure(_ fault: BoxFault) -> Failure {
        let log = FaultLog()
        log.report(fault, in: nil)
        var kind = FailureKind.damaged
        if case .unreadable(_, .some) = fault { kind = .mediumFailed }
        return Failure(kind, "cannot read \(path)", because: log.list().first?.message ?? "it is damaged")
    }

    /// The failure of a fragment that cannot be read.
    func failure(_ trouble: FragmentWalk.Trouble) -> Failure {
        switch trouble {
        case .box(let fault, _): return failure(fault)
        case .content(let box, let reason):
            return Failure(.damaged, "cannot read \(path)", because: "\(box.name) \(reason)")
        }
    }

    /// The types of box with which files of this kind begin.
    private static let firstTypes: Set<BoxType> = [
        "ftyp", "styp", "moov", "mdat", "free", "skip", "wide", "pnot", "uuid", "moof", "sidx",
    ]

    private static func beginsLikeABox(_ fault: BoxFault) -> Bool {
        switch fault {
        case .tooLarge(let type, _, _, _), .tooSmall(let type, _, _): firstTypes.contains(type)
        case .unreadable(_, let reason): reason != nil
        case .cutHeader: false
        }
    }

    private static func failure(_ path: String, _ reason: Errno) -> Failure {
        let kind: FailureKind =
            switch reason.code {
            case EACCES, EPERM: .notAuthorised
            case EIO: .mediumFailed
            default: .notARecording
            }
        return Failure(kind, "cannot read \(path)", because: reason.description)
    }

    private func notAnMP4() -> Failure {
        Failure(
            .notARecording, "cannot read \(path)",
            because: byteCount == 0 ? "it is empty" : "it does not begin like an MP4 file")
    }
}
