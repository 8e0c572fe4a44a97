/// When an encoder's queues are asked for finished buffers. Each question is a system call, so none is asked to which the
/// answer is known: no coded buffer when the last picture has just come out, and a raw buffer only when a packet says that
/// one is free, or when too many are inside.
struct ProbePolicy {
    /// While draining, everything is asked for.
    var isEager = false
    /// Raw buffers that must be free, since as many packets came out or will never come.
    private(set) var owed = 0
    private var skipsCoded = false
    /// Raw buffers that are inside when all is well.
    private var usual = 2

    /// Whether to ask for a coded buffer. With no picture inside, the answer is no once after a packet: so a caller that takes
    /// packets until there is none does not ask in vain, and yet what an encoder gives out of turn does not stay there.
    /// - Parameter pending: pictures of which something may come.
    mutating func asksForCoded(pending: Int) -> Bool {
        if isEager || pending > 0 { return true }
        defer { skipsCoded = false }
        return !skipsCoded
    }

    /// Takes note of a packet, or of pictures of which nothing will come.
    mutating func note(finished count: Int) {
        skipsCoded = true
        owed += count
    }

    /// Whether to ask for a raw buffer.
    /// - Parameters:
    ///   - queued: raw buffers that the device has.
    ///   - count: raw buffers in all.
    func asksForRaw(queued: Int, of count: Int) -> Bool {
        queued > 0 && (isEager || owed > 0 || queued > usual || queued == count)
    }

    /// Takes note of the answer for a raw buffer.
    mutating func note(rawFound found: Bool, queued: Int) {
        if found {
            owed = max(owed - 1, 0)
        } else if owed == 0 {
            // So many are inside without any being done with: it is this encoder's way.
            usual = max(usual, queued)
        }
    }
}
