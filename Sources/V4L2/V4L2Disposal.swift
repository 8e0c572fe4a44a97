import Glibc
import Linux
import Synchronization

/// Gives devices up that may hang: stopping and closing them happens on a thread of its own, and nobody waits for it.
public enum V4L2Disposal {
    /// Where devices are being closed, a path for each.
    private static let pending = Mutex<[String]>([])

    /// Stops a device's queues, gives their memory back and closes it.
    /// - Parameters:
    ///   - device: must not be used any more, nor the queues, nor any of their memory and descriptors.
    ///   - queues: all of the device's queues.
    public static func dispose(_ device: V4L2Device, _ queues: [V4L2Queue]) {
        let estate = Estate(device, queues)
        pending.withLock { $0.append(estate.device.path) }
        do {
            try Thread("disposal") { close(estate) }.detach()
        } catch {
            // Without a thread it has to be done here.
            close(estate)
        }
    }

    /// Devices of a path that are still being closed.
    public static func pending(at path: String) -> Int {
        pending.withLock { list in list.filter { $0 == path }.count }
    }

    /// Waits until all devices that were given up are closed.
    /// - Parameter limit: milliseconds.
    /// - Returns: false when some are not, since they hang.
    public static func isComplete(within limit: Int64) -> Bool {
        let end = MonotonicTime.now + limit * 1_000_000
        while pending.withLock({ !$0.isEmpty }) {
            guard MonotonicTime.now < end else { return false }
            usleep(2000)
        }
        return true
    }

    private static func close(_ estate: Estate) {
        for queue in estate.queues { queue.dismantle() }
        estate.device.close()
        pending.withLock { list in
            if let index = list.firstIndex(of: estate.device.path) { list.remove(at: index) }
        }
    }

    /// What is given away.
    private final class Estate: @unchecked Sendable {
        // Unchecked because the one who gives it away does not use it any more: the new thread is its only user.
        let device: V4L2Device
        let queues: [V4L2Queue]

        init(_ device: V4L2Device, _ queues: [V4L2Queue]) {
            self.device = device
            self.queues = queues
        }
    }
}
