import CKernel
import Glibc
import Linux

/// An input device that is plugged in and pulled out by a test (`uinput`).
final class VirtualKeypad {
    private let descriptor: FileDescriptor

    /// Plugs it in.
    /// - Parameters:
    ///   - name: as programs see it.
    ///   - keys: the keys that it has.
    init(_ name: String, keys: [Int32]) throws {
        descriptor = try FileDescriptor.open("/dev/uinput", O_WRONLY)
        try request(Self.number(100, 4), EV_KEY)
        for key in keys { try request(Self.number(101, 4), key) }
        // struct uinput_setup: bus, vendor, product and version, 80 bytes of name, the number of effects.
        var setup = [UInt8](repeating: 0, count: 92)
        setup.replaceSubrange(0..<8, with: [3, 0, 0x34, 0x12, 0x78, 0x56, 1, 0])
        setup.replaceSubrange(8..<(8 + name.utf8.count), with: name.utf8)
        let raw = descriptor.raw
        let result = setup.withUnsafeMutableBytes { ckernel_ioctl(raw, Self.number(3, 92), $0.baseAddress) }
        guard result == 0 else { throw Errno.last }
        // UI_DEV_CREATE has no argument.
        guard ckernel_ioctl(raw, 0x5501, nil) == 0 else { throw Errno.last }
    }

    /// Presses or lets go a key.
    func set(_ key: Int32, isDown: Bool) throws {
        try write([(EV_KEY, key, isDown ? 1 : 0), (EV_SYN, SYN_REPORT, 0)])
    }

    /// Makes many events in one go, as (type, code, value).
    func write(_ events: [(Int32, Int32, Int32)]) throws {
        var list = events.map { event in
            input_event(time: timeval(), type: UInt16(event.0), code: UInt16(event.1), value: event.2)
        }
        _ = try list.withUnsafeMutableBytes { try descriptor.write(UnsafeRawBufferPointer($0)) }
    }

    private func request(_ number: UInt, _ value: Int32) throws {
        let argument = UnsafeMutableRawPointer(bitPattern: Int(value))
        guard ckernel_ioctl(descriptor.raw, number, argument) == 0 else { throw Errno.last }
    }

    /// _IOW('U', number, size): the header of uinput has the numbers as macros with casts.
    private static func number(_ number: UInt, _ size: UInt) -> UInt { 1 << 30 | size << 16 | 0x55 << 8 | number }
}
