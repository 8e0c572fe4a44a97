import CKernel
import Glibc
import Linux
import Media

/// An input device with keys that mean buttons (`evdev`): gpio-keys, a foot switch, a keypad.
final class KeyDevice: ContactSource {
    let path: String?
    let name: String
    private let descriptor: FileDescriptor
    private var events = KeyEvents()
    private var keys: [Key]

    private struct Key {
        let code: UInt16
        let button: Int
        var isDown: Bool
    }

    /// Opens a device if it has keys that mean buttons.
    /// - Parameters:
    ///   - path: "/dev/input/event3".
    ///   - wirings: all buttons.
    /// - Returns: nil where the device has none of them.
    /// - Throws: `Failure` where it cannot be opened, or another program has taken it.
    static func open(_ path: String, for wirings: [ButtonWiring]) throws(Failure) -> KeyDevice? {
        do {
            let descriptor = try FileDescriptor.open(path, O_RDONLY | O_NONBLOCK)
            var present = KeySet()
            guard present.fill({ ckernel_ioctl(descriptor.raw, CKERNEL_EVIOCGBIT_KEY, $0.baseAddress) }) > 0 else {
                return nil
            }
            let name = text(descriptor.raw, CKERNEL_EVIOCGNAME)
            let phys = text(descriptor.raw, CKERNEL_EVIOCGPHYS)
            let found = fitting(wirings, present, name: name, phys: phys)
            guard !found.keys.isEmpty else { return nil }
            return try KeyDevice(path, consume descriptor, name: name, found.keys, isExclusive: found.isExclusive)
        } catch {
            throw PanelFailure.opening("the input device \(path)", error, group: "input")
        }
    }

    private init(
        _ path: String, _ descriptor: consuming FileDescriptor, name: String, _ keys: [(code: UInt16, button: Int)],
        isExclusive: Bool
    ) throws(Errno) {
        self.path = path
        self.name = name.isEmpty ? path : "\(name) (\(path))"
        self.descriptor = descriptor
        self.keys = keys.map { Key(code: $0.code, button: $0.button, isDown: false) }
        var clock = CLOCK_MONOTONIC
        guard ckernel_ioctl(self.descriptor.raw, CKERNEL_EVIOCSCLOCKID, &clock) == 0 else { throw Errno.last }
        if isExclusive, ckernel_grab_input(self.descriptor.raw) != 0 { throw Errno.last }
        let down = try downKeys()
        for index in self.keys.indices { self.keys[index].isDown = down.contains(self.keys[index].code) }
    }

    var raw: Int32 { descriptor.raw }
    var buttons: [Int] { keys.map(\.button) }
    /// The driver sees to it, or the device itself: mostly, so that it can be configured all the same.
    var isDebounced: Bool { false }

    func isClosed(_ button: Int) -> Bool {
        keys.first { $0.button == button }?.isDown ?? false
    }

    func takeEdges(_ take: (ContactEdge) -> Void) throws(Errno) {
        var isLost = false
        let size = MemoryLayout<input_event>.stride
        let reason: Errno? = withUnsafeTemporaryAllocation(of: input_event.self, capacity: 64) { buffer in
            while true {
                do throws(Errno) {
                    let count = try descriptor.read(into: UnsafeMutableRawBufferPointer(buffer))
                    for index in 0..<count / size { isLost = read(&buffer[index], take) || isLost }
                    if count < size { return nil }
                } catch {
                    return error.code == EAGAIN ? nil : error
                }
            }
        }
        if let reason { throw reason }
        if isLost { try takeMissedEdges(take) }
    }

    /// Reading the levels throws away what still waits in the device's queue, so all keys are looked at, not just one.
    func takeMissedEdges(_ take: (ContactEdge) -> Void) throws(Errno) {
        let down = try downKeys()
        let now = MonotonicTime.now
        for index in keys.indices {
            let isDown = down.contains(keys[index].code)
            guard isDown != keys[index].isDown else { continue }
            keys[index].isDown = isDown
            take(ContactEdge(button: keys[index].button, change: .init(isClosed: isDown, time: now, isExact: false)))
        }
    }

    /// - Returns: whether events are missing.
    private func read(_ event: inout input_event, _ take: (ContactEdge) -> Void) -> Bool {
        switch events.take(type: event.type, code: event.code, value: event.value) {
        case .nothing: return false
        case .lost: return true
        case .key(let code, let isDown):
            let time = MonotonicTime(nanoseconds: ckernel_input_nanoseconds(&event))
            for index in keys.indices where keys[index].code == code {
                keys[index].isDown = isDown
                take(
                    ContactEdge(button: keys[index].button, change: .init(isClosed: isDown, time: time, isExact: true)))
            }
            return false
        }
    }

    private func downKeys() throws(Errno) -> KeySet {
        var down = KeySet()
        let raw = descriptor.raw
        guard down.fill({ ckernel_ioctl(raw, CKERNEL_EVIOCGKEY, $0.baseAddress) }) > 0 else { throw Errno.last }
        return down
    }

    /// Which buttons a device has.
    static func fitting(
        _ wirings: [ButtonWiring], _ present: KeySet, name: String, phys: String
    ) -> (keys: [(code: UInt16, button: Int)], isExclusive: Bool) {
        var keys: [(code: UInt16, button: Int)] = []
        var isExclusive = false
        for (button, wiring) in wirings.enumerated() {
            guard case .key(let key, let device, let exclusive) = wiring.place, present.contains(key.code) else {
                continue
            }
            if let device {
                guard fnmatch(device, name, 0) == 0 || fnmatch(device, phys, 0) == 0 else { continue }
            } else if present.isKeyboard {
                continue
            }
            keys.append((key.code, button))
            isExclusive = isExclusive || exclusive
        }
        return (keys, isExclusive)
    }

    private static func text(_ raw: Int32, _ request: UInt) -> String {
        withUnsafeTemporaryAllocation(byteCount: Int(CKERNEL_INPUT_NAME_BYTES), alignment: 1) { buffer in
            let count = ckernel_ioctl(raw, request, buffer.baseAddress)
            return String(decoding: buffer.prefix(max(Int(count), 0)).prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
