import CKernel
import Glibc
import Linux
import Media

/// The character device of a GPIO chip, on which lines are found and requested.
struct GPIOChip: ~Copyable {
    let path: String
    let label: String
    private let lineCount: UInt32
    private let descriptor: FileDescriptor

    /// - Throws: `Errno`, ENOTTY where it is no GPIO chip.
    init(opening path: String) throws(Errno) {
        let descriptor = try FileDescriptor.open(path, O_RDWR)
        var chip = gpiochip_info()
        guard ckernel_ioctl(descriptor.raw, CKERNEL_GPIO_GET_CHIPINFO, &chip) == 0 else { throw Errno.last }
        self.path = path
        label = Self.text(&chip.label)
        lineCount = chip.lines
        self.descriptor = consume descriptor
    }

    /// The place of a line on this chip; nil where it is not on it.
    func offset(of address: LineAddress) -> UInt32? {
        switch address {
        case .place(let chip, let offset): chip == label && offset < lineCount ? offset : nil
        case .named(let name): (0..<lineCount).first { lineName($0) == name }
        }
    }

    /// Requests one line (GPIO_V2_GET_LINE).
    /// - Parameters:
    ///   - flags: GPIO_V2_LINE_FLAG_….
    ///   - debounce: microseconds for which the kernel lets a level settle; 0 for none.
    /// - Returns: a descriptor that holds the line as long as it is open.
    /// - Throws: `Errno`, EBUSY where the line is taken.
    func request(_ offset: UInt32, flags: UInt64, debounce: UInt32) throws(Errno) -> FileDescriptor {
        var request = gpio_v2_line_request()
        request.offsets.0 = offset
        request.num_lines = 1
        request.config.flags = flags
        withUnsafeMutableBytes(of: &request.consumer) { $0.copyBytes(from: "kinebox".utf8) }
        if debounce > 0 {
            request.config.num_attrs = 1
            request.config.attrs.0.mask = 1
            request.config.attrs.0.attr.id = UInt32(GPIO_V2_LINE_ATTR_ID_DEBOUNCE.rawValue)
            request.config.attrs.0.attr.debounce_period_us = debounce
        }
        guard ckernel_ioctl(descriptor.raw, CKERNEL_GPIO_V2_GET_LINE, &request) == 0 else { throw Errno.last }
        return FileDescriptor(owning: request.fd)
    }

    private func lineName(_ offset: UInt32) -> String? {
        var line = gpio_v2_line_info()
        line.offset = offset
        guard ckernel_ioctl(descriptor.raw, CKERNEL_GPIO_V2_GET_LINEINFO, &line) == 0 else { return nil }
        return Self.text(&line.name)
    }

    /// A fixed array of characters up to its first NUL.
    private static func text<Characters>(_ characters: inout Characters) -> String {
        withUnsafeBytes(of: &characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
