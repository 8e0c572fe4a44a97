import Glibc
import Linux
import Media
import Storage

/// `kinebox medium prepare | eject | forget DEVICE`: what the units of systemd call with the rights of root, since the
/// daemon has none. It is not for people, and not in the overview.
enum MediumCommand {
    private static let verbs = ["prepare", "eject", "forget"]
    /// The user whom recordings belong to, where there is one.
    private static let user = "kinebox"

    static func run(_ arguments: [String], _ terminal: inout Terminal) throws(Failure) -> Int32 {
        let options = try Options(
            arguments, of: "medium", declared: [Options.Declaration(name: "--help", takesValue: false)])
        if options.has("--help") {
            terminal.print(Help.medium)
            return 0
        }
        guard options.operands.count == 2, verbs.contains(options.operands[0]), options.operands[1].hasPrefix("/dev/")
        else {
            throw Failure(
                .invalidValue, "cannot do anything with a medium", because: "a verb and a device are needed",
                mend: "See kinebox medium --help.")
        }
        try perform(options.operands[0], options.operands[1], &terminal)
        return 0
    }

    private static func perform(_ verb: String, _ node: String, _ terminal: inout Terminal) throws(Failure) {
        let (rule, runtime) = (rule(&terminal), MediaRuntime())
        if verb == "forget" { return MediumRemoval.forget(String(node.dropFirst(5)), rule, runtime) }
        guard let device = try BlockDeviceWatch().list().first(where: { $0.node == node }) else {
            throw Failure(.noMedium, "cannot \(verb) \(node)", because: "there is no such disk")
        }
        if verb == "eject" {
            try MediumRemoval(device, rule, runtime: runtime).eject()
            return terminal.print("\(node): it may be pulled")
        }
        let owner = MediumOwner(named: user) ?? .current
        do throws(Failure) {
            let folder = try MediumPreparation(device, rule, runtime: runtime, owner: owner).run()
            terminal.print("\(node): mounted on \(folder)")
        } catch  where error.kind == .busy {
            // Not every disk that comes is a medium, and no unit has failed by that.
            terminal.print("\(node): left alone, since \(error.cause)")
        }
    }

    /// What is a medium. A mistake in the configuration keeps no stick out: what it says of disks does not count then.
    private static func rule(_ terminal: inout Terminal) -> MediumRule {
        do throws(Failure) {
            return MediumRule(named: Set(try DaemonConfiguration(reading: nil).media.disks))
        } catch {
            terminal.tell("kinebox: \(error)")
            return MediumRule()
        }
    }
}
