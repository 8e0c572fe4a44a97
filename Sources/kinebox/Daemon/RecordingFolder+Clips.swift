import CKernel
import Glibc
import Linux
import MP4
import Media
import Storage

/// A recording that was found on a medium.
struct FoundClip: Sendable, Hashable {
    /// The first part's path.
    var path: String
    /// The name of the medium.
    var medium: String
    /// When it was begun, in seconds since 1970, by the clock of the box as it was then; as long as nobody has looked into
    /// the file, when its first part was written last.
    var started: Int64
    /// Nanoseconds, all parts together; nil where a part is not whole.
    var duration: Int64?
    /// Bytes, all parts together.
    var byteCount: Int64
    var partCount: Int
    /// Whether all parts have their final tables.
    var isWhole: Bool
    /// What was said of it.
    var metadata = RecordingMetadata()
}

/// What is in the folder, and what becomes of it.
extension RecordingFolder {
    /// The recordings, in no order; what is said of them needs no more than their names and the folder.
    /// - Throws: `Failure` of kind noMedium or mediumFailed.
    private func clips() throws(Failure) -> [FoundClip] {
        let names: [String]
        do throws(Errno) {
            names = try self.names()
        } catch {
            if error.code == ENOENT { return [] }
            throw Failure(
                error.code == EIO ? .mediumFailed : .noMedium, "cannot list the recordings on \(medium)",
                because: "\(error)")
        }
        var clips: [String: FoundClip] = [:]
        for name in names {
            guard let status = Self.status("\(path)/\(name)"), status.st_mode & S_IFMT == S_IFREG else { continue }
            let (stem, part) = RecordingName.parts(of: name.dropLast(4))
            let time = Int64(status.st_mtim.tv_sec)
            var clip =
                clips[stem]
                ?? FoundClip(
                    path: "\(path)/\(stem).mp4", medium: medium, started: time, byteCount: 0, partCount: 0,
                    isWhole: true)
            if part == 1 { clip.path = "\(path)/\(name)" }
            clip.started = min(clip.started, time)
            clip.byteCount += Int64(status.st_size)
            clip.partCount += 1
            clips[stem] = clip
        }
        return Array(clips.values)
    }

    /// A page of the recordings in some folders, the newest first.
    struct Page: Sendable {
        var clips: [FoundClip]
        /// The path behind which there are more; nil when there are none.
        var next: String?
    }

    /// - Parameters:
    ///   - path: the path behind which the page begins; nil for the first one.
    ///   - limit: the most recordings of the page.
    static func page(of folders: [RecordingFolder], behind path: String?, limit: Int) -> Result<Page, Failure> {
        var all: [(clip: FoundClip, folder: RecordingFolder)] = []
        do throws(Failure) {
            for folder in folders { all += try folder.clips().map { ($0, folder) } }
        } catch {
            return .failure(error)
        }
        all.sort { ($0.clip.started, $0.clip.path) > ($1.clip.started, $1.clip.path) }
        let start = path.map { path in all.firstIndex { $0.clip.path == path }.map { $0 + 1 } } ?? 0
        guard let start else {
            return .failure(
                Failure(
                    .invalidValue, "cannot list what comes behind \(path ?? "")",
                    because: "there is no such recording any more", mend: "Begin with the first page again."))
        }
        let page = all[start...].prefix(limit)
        let clips = page.map { $0.folder.examined($0.clip) }
        return .success(Page(clips: clips, next: page.endIndex < all.endIndex ? clips.last?.path : nil))
    }

    /// A recording with what only its files tell: how long it is, whether it is whole, and what was said of it.
    private func examined(_ clip: FoundClip) -> FoundClip {
        var clip = clip
        var duration: Int64? = 0
        for part in 1...max(1, clip.partCount) {
            let path = clip.path.dropLast(4) + RecordingName.ending(ofPart: part) + clip.path.suffix(4)
            let reader: MovieReader?
            do throws(Failure) { reader = try MovieReader(path: String(path)) } catch { reader = nil }
            if reader?.isWhole != true { clip.isWhole = false }
            if part == 1, let reader {
                clip.metadata = reader.metadata
                clip.started -= (reader.duration ?? 0) / 1_000_000_000
            }
            duration = duration.flatMap { sum in reader?.duration.map { sum + $0 } }
        }
        clip.duration = duration
        return clip
    }

    /// Finishes what a power cut or a kill left, and says what became of each file that needed it.
    func recover() -> [RecoveredFile] {
        let names: [String]
        do throws(Errno) { names = try self.names() } catch { return [] }
        return names.compactMap { name in
            let path = "\(path)/\(name)"
            do throws(Failure) {
                let result = try Recovery.recover(path: path)
                return result == .alreadyFinal ? nil : RecoveredFile(path: path, outcome: .done(result))
            } catch {
                // What others put there is no business of ours, and what is being recorded needs no recovery.
                if error.kind == .notARecording || error.kind == .busy { return nil }
                return RecoveredFile(path: path, outcome: .failed(error))
            }
        }
    }

    /// The names of what may be recordings, in their order.
    private func names() throws(Errno) -> [String] {
        try Folder.names(in: path).filter { $0.lowercased().hasSuffix(".mp4") && !$0.hasPrefix(".") }
    }

    private static func status(_ path: String) -> stat? {
        var status = stat()
        return stat(path, &status) == 0 ? status : nil
    }
}

/// A file that a power cut or a kill left, and what became of it.
struct RecoveredFile: Sendable {
    enum Outcome: Sendable {
        case done(RecoveryResult)
        /// It plays as it is; recovery can be tried again.
        case failed(Failure)
    }

    var path: String
    var outcome: Outcome
}
