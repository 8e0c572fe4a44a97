import CKernel

/// A set of keys as the kernel gives it: a bit for each (EVIOCGBIT, EVIOCGKEY).
struct KeySet: Equatable {
    private(set) var bytes = [UInt8](repeating: 0, count: Int(CKERNEL_KEY_BYTES))

    /// Lets `body` fill the bits.
    mutating func fill<Result>(_ body: (UnsafeMutableRawBufferPointer) -> Result) -> Result {
        bytes.withUnsafeMutableBytes { body($0) }
    }

    func contains(_ code: UInt16) -> Bool {
        bytes[Int(code) / 8] & 1 << (code % 8) != 0
    }

    /// Whether somebody can type on it: it has the keys from escape to D, by which udev knows a keyboard as well.
    var isKeyboard: Bool { (UInt16(KEY_ESC)...UInt16(KEY_D)).allSatisfy(contains) }
}
