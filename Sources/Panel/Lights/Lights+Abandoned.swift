import Glibc

extension Lights {
    /// Does what the guard of a program that has died would have done, where that one was killed with it: all lights become
    /// dark, and the recording light blinks six times and pauses, where the kernel can do that alone. For whoever cleans up
    /// after a service. A light that another program has taken by now is left to it.
    public static func abandon(_ configuration: LightConfiguration) {
        var slots = LightSlot.all(of: configuration)
        for index in slots.indices where slots[index].open(within: 50) {
            for write in slots[index].lastWill.writes { carryOut(write) }
        }
    }

    private static func carryOut(_ write: LastWill.Write) {
        let file = Glibc.open(write.path, O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        let bytes = Array(write.text.utf8)
        // There is nobody to tell if it fails, and what follows may still help.
        _ = Glibc.write(file, bytes, bytes.count)
        Glibc.close(file)
    }
}
