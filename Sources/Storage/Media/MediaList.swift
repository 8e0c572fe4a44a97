import Linux
import Media

/// The media of a board: what follows from what those who prepare them tell, from what is mounted, and from what is known
/// of each. A value without side effects.
struct MediaList: Hashable, Sendable {
    /// What tells one stay of a medium from all others, itself plugged in again among them.
    struct Key: Hashable, Sendable {
        var device: String
        var sequence: UInt64
    }

    /// What is known of a medium beside its record.
    struct Knowledge: Hashable, Sendable {
        /// How much room it has; nil as long as it has not answered.
        var room: MediumRoom?
        /// Why nothing can be recorded to it, as somebody found who tried.
        var failure: Failure?
        /// Whether it has not answered in time.
        var isSilent = false
        /// Whether it was asked for its room once; later questions come with the time.
        var isRoomAsked = false
        /// Whether its recovery was asked for, and is done.
        var isRecoveryAsked = false
        var isRecovered = false
        /// Since when it is to be ejected.
        var wish: MonotonicTime?
    }

    /// UUIDs and labels in the order in which they are preferred.
    var order: [String]
    /// Bytes: with less room than that a medium is full.
    var leastRoom: Int64
    var knowledge: [Key: Knowledge] = [:]

    /// A check is ended after a minute; who is not done long after that hangs in a medium that does not answer.
    static let longestPreparation: Int64 = 100_000_000_000

    init(order: [String], leastRoom: Int64) {
        self.order = order
        self.leastRoom = leastRoom
    }

    /// The media, the preferred one first: as `order` has it, then those that can be recorded to, then by their room.
    /// - Parameter records: of the media that are there.
    func media(_ records: [MediumRecord], _ mounts: MountTable, now: MonotonicTime) -> [Medium] {
        let media = records.map { medium($0, mounts, now) }
        return media.sorted { rank($0) < rank($1) }
    }

    func medium(_ record: MediumRecord, _ mounts: MountTable, _ now: MonotonicTime) -> Medium {
        let known = knowledge[record.key] ?? Knowledge()
        let mount = record.folder.isEmpty ? nil : mounts.entry(at: record.folder)
        let isMounted = mount?.device == record.number
        return Medium(
            name: record.name, uuid: record.content.uuid, label: record.content.label, device: record.device,
            fileSystem: record.content.type,
            place: isMounted ? MediumPlace(folder: record.folder, number: record.number) : nil,
            state: state(record, known, isMounted ? mount : nil, now), byteCount: record.byteCount,
            freeByteCount: isMounted ? known.room?.freeByteCount : nil)
    }

    private func state(
        _ record: MediumRecord, _ known: Knowledge, _ mount: MountTable.Entry?, _ now: MonotonicTime
    ) -> Medium.State {
        switch record.state {
        case .checking, .mounting:
            return now - record.time > Self.longestPreparation ? .failed(Self.silence(record)) : .preparing
        case .failed: return .failed(Self.refusal(record, record.cause, record.mend))
        case .ejecting: return .leaving
        case .ejected: return .ejected
        case .mounted: break
        }
        // It is there, and somebody else has unmounted it.
        guard let mount else { return .ejected }
        if known.wish != nil { return .leaving }
        if let failure = known.failure { return .failed(failure) }
        if known.isSilent { return .failed(Self.silence(record)) }
        if mount.isReadOnly || record.isProtected { return .readOnly }
        guard let room = known.room, known.isRecovered else { return .preparing }
        return room.freeByteCount < leastRoom ? .full : .ready
    }

    private static func silence(_ record: MediumRecord) -> Failure {
        refusal(record, "it does not answer", "Pull it out and plug it in again, or take another medium.")
    }

    private static func refusal(_ record: MediumRecord, _ cause: String, _ mend: String) -> Failure {
        Failure(.mediumFailed, "cannot record to \(record.name)", because: cause, mend: mend)
    }

    private func rank(_ medium: Medium) -> Rank {
        let place = order.firstIndex { $0 == medium.uuid || $0 == medium.label } ?? order.count
        let usefulness =
            switch medium.state {
            case .ready: 0
            case .preparing: 1
            case .full: 2
            case .readOnly: 3
            case .failed: 4
            case .leaving, .ejected: 5
            }
        return Rank(
            place: place, usefulness: usefulness, room: -(medium.freeByteCount ?? 0), name: medium.name)
    }

    private struct Rank: Comparable {
        var place: Int
        var usefulness: Int
        var room: Int64
        var name: String

        static func < (one: Rank, other: Rank) -> Bool {
            (one.place, one.usefulness, one.room, one.name) < (other.place, other.usefulness, other.room, other.name)
        }
    }
}

extension MediumRecord {
    var key: MediaList.Key { MediaList.Key(device: device, sequence: sequence) }
}
