import CKernel
import Glibc
import Linux
import Media

/// One GPIO line that is held by this program (GPIO character device, version 2).
struct LineRequest: ~Copyable {
    /// "GPIO17 (pinctrl-bcm2711, line 17)".
    let name: String
    /// Whether levels have settled before they are told: by the kernel, or since that was not asked for.
    let isDebounced: Bool
    private let descriptor: FileDescriptor

    /// Takes a line whose edges are told, both ways, with times of CLOCK_MONOTONIC.
    /// - Parameter debounce: nanoseconds for which the kernel is asked to let levels settle; 0 for none. Where it refuses,
    ///   the line comes without.
    /// - Throws: `Failure` that says where it is missing, who may, or that it is taken.
    static func input(_ address: LineAddress, _ sense: LineSense, debounce: Int64) throws(Failure) -> LineRequest {
        var flags =
            flag(GPIO_V2_LINE_FLAG_INPUT) | flag(GPIO_V2_LINE_FLAG_EDGE_RISING) | flag(GPIO_V2_LINE_FLAG_EDGE_FALLING)
        if sense.isActiveLow { flags |= flag(GPIO_V2_LINE_FLAG_ACTIVE_LOW) }
        switch sense.bias {
        case .asIs: break
        case .pullUp: flags |= flag(GPIO_V2_LINE_FLAG_BIAS_PULL_UP)
        case .pullDown: flags |= flag(GPIO_V2_LINE_FLAG_BIAS_PULL_DOWN)
        case .disabled: flags |= flag(GPIO_V2_LINE_FLAG_BIAS_DISABLED)
        }
        return try take(address, flags, debounce: UInt32(clamping: debounce / 1000))
    }

    /// Takes a line that is set, and is inactive at first.
    /// - Throws: `Failure` that says where it is missing, who may, or that it is taken.
    static func output(_ address: LineAddress, isActiveLow: Bool) throws(Failure) -> LineRequest {
        let flags = flag(GPIO_V2_LINE_FLAG_OUTPUT) | (isActiveLow ? flag(GPIO_V2_LINE_FLAG_ACTIVE_LOW) : 0)
        return try take(address, flags, debounce: 0)
    }

    private init(_ name: String, _ descriptor: consuming FileDescriptor, isDebounced: Bool) {
        self.name = name
        self.isDebounced = isDebounced
        self.descriptor = descriptor
    }

    var raw: Int32 { descriptor.raw }

    /// The line's level: true is active.
    func level() throws(Errno) -> Bool {
        var values = gpio_v2_line_values(bits: 0, mask: 1)
        guard ckernel_ioctl(descriptor.raw, CKERNEL_GPIO_V2_LINE_GET_VALUES, &values) == 0 else { throw Errno.last }
        return values.bits & 1 != 0
    }

    /// Sets an output.
    func set(_ isActive: Bool) throws(Errno) {
        var values = gpio_v2_line_values(bits: isActive ? 1 : 0, mask: 1)
        guard ckernel_ioctl(descriptor.raw, CKERNEL_GPIO_V2_LINE_SET_VALUES, &values) == 0 else { throw Errno.last }
    }

    /// Reads edges that wait, as many as there is room for.
    /// - Returns: how many; 0 when none waits.
    func read(_ events: UnsafeMutableBufferPointer<gpio_v2_line_event>) throws(Errno) -> Int {
        do throws(Errno) {
            let count = try descriptor.read(into: UnsafeMutableRawBufferPointer(events))
            return count / MemoryLayout<gpio_v2_line_event>.stride
        } catch {
            guard error.code == EAGAIN else { throw error }
            return 0
        }
    }

    private static func take(_ address: LineAddress, _ flags: UInt64, debounce: UInt32) throws(Failure) -> LineRequest {
        let place = try LinePlace.find(address)
        do throws(Errno) {
            return try take(place, "\(address) (\(place.label), line \(place.offset))", flags, debounce)
        } catch {
            throw PanelFailure.opening("the line \(address) of \(place.label)", error, group: "gpio")
        }
    }

    private static func take(
        _ place: LinePlace, _ name: String, _ flags: UInt64, _ debounce: UInt32
    ) throws(Errno) -> LineRequest {
        let chip = try GPIOChip(opening: place.path)
        do throws(Errno) {
            let descriptor = try chip.request(place.offset, flags: flags, debounce: debounce)
            try descriptor.setNonblocking()
            return LineRequest(name, descriptor, isDebounced: true)
        } catch {
            guard debounce > 0, error.code != EBUSY, error.code != EPERM else { throw error }
        }
        let descriptor = try chip.request(place.offset, flags: flags, debounce: 0)
        try descriptor.setNonblocking()
        return LineRequest(name, descriptor, isDebounced: false)
    }

    private static func flag(_ flag: gpio_v2_line_flag) -> UInt64 { UInt64(flag.rawValue) }
}
