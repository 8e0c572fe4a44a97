/// The keys of `[Media]` and `[Control]`.
extension ConfigurationKey {
    static let media = [
        ConfigurationKey(
            "Prefer", in: .media, .media(\.media.order),
            """
            A medium that is taken before others, by the UUID or the label of its file system, as kinebox media shows \
            them. Each further line is the next in the order. Media that are not named come after those that are, the one \
            with most room first.
            """),
        ConfigurationKey(
            "Disk", in: .media, .disks(\.media.disks),
            """
            The UUID of a file system on one of the machine's own disks that is to be recorded to as well. Else only what \
            can be plugged in is: sticks, cards and USB disks. What the system itself lives on is never. Each further line \
            is one more.
            """),
        ConfigurationKey(
            "Folder", in: .media, .folder(\.media.folder),
            "The folder on a medium that recordings go into; it is made where it is missing."),
        ConfigurationKey(
            "LeastRoom", in: .media, .bytes(\.media.leastRoom, 16_000_000...1_000_000_000_000),
            """
            The room that is left on a medium: with less than that it counts as full, and a recording ends before, with its \
            file finished.
            """),
    ]

    static let control = [
        ConfigurationKey(
            "Socket", in: .control, .path(\.control.path),
            """
            Where the socket is made. Where systemd makes it, as kinebox.socket does, ListenStream= of that unit counts, and \
            its SocketMode= and SocketGroup= before the next two keys.
            """),
        ConfigurationKey(
            "SocketMode", in: .control, .mode(\.control.mode),
            "The permissions of the socket: who may not write to it cannot even connect."),
        ConfigurationKey(
            "SocketGroup", in: .control, .group(\.control.socketGroup), "The group of the socket."),
        ConfigurationKey(
            "RecordGroups", in: .control, .groups(\.control.recordGroups),
            "The groups whose members may record, and do everything else. root and the user of the daemon always may."),
        ConfigurationKey(
            "LookGroups", in: .control, .groups(\.control.lookGroups),
            """
            The groups whose members may look and follow, and no more. Where nothing stands, everybody who can connect \
            may.
            """),
    ]
}
