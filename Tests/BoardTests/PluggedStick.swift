import Judges
import Media
import Storage
import Testing

/// The board's sticks, as those see them who prepare media.
struct PluggedStick {
    let rule = MediumRule(folder: "/media/kinebox-test")
    let runtime = MediaRuntime(in: "/run/kinebox-test")
    let owner = MediumOwner(user: 1234, group: 1234)

    /// Plugs a new stick in.
    func plugIn(_ fileSystem: String, _ size: String = "256M") throws -> BlockDevice {
        try Board.control("stick", "in", fileSystem, size)
        return try device()
    }

    /// The stick that is plugged in.
    func device(_ socket: String = "stick") throws -> BlockDevice {
        let node = try Board.shell("readlink -f /dev/board/\(socket)").split(separator: "\n").first.map(String.init)
        return try #require(try BlockDeviceWatch().list().first { $0.node == node })
    }

    func prepare(_ device: BlockDevice) throws(Failure) -> String {
        try MediumPreparation(device, rule, runtime: runtime, owner: owner).run()
    }

    func removal(of device: BlockDevice) -> MediumRemoval { MediumRemoval(device, rule, runtime: runtime) }

    func mountOptions(_ folder: String) throws -> String { try Board.shell("findmnt -no OPTIONS \(folder)") }
}
